// @ts-check
// Times: in the viewer's zone, UTC on hover and for screen readers.

import { h, hidden } from "../core/dom.js";
import { serverNow } from "../core/http.js";

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const utcDate = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(undefined,
    { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const precise = new Intl.DateTimeFormat(undefined,
    { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** @typedef {string | number | null | undefined} When a time of the API, or ms since 1970 */

/** @param {When} when @returns {number} NaN when there is none */
export const millis = (when) => (typeof when === "number" ? when : Date.parse(when ?? ""));

/** Times that an input can show and the API takes, in any zone. */
const [FIRST, LAST] = [Date.UTC(1970, 0, 2), Date.UTC(9999, 11, 30)];

/**
 * A time of the address or of an input, which may have any text.
 * @param {string | null} text
 * @returns {number} ms since 1970, NaN when it is none of these days
 */
export function instant(text) {
    const ms = Date.parse(text ?? "");
    return ms >= FIRST && ms <= LAST ? ms : NaN;
}

/** @param {When} when @returns {string} 14:02 */
export const clockTime = (when) => clock.format(millis(when));

/** @param {When} when @returns {string} 2026-03-17 14:02:19 UTC */
export const utc = (when) => `${new Date(millis(when)).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
    ["year", 365 * 86400], ["month", 30 * 86400], ["week", 7 * 86400],
    ["day", 86400], ["hour", 3600], ["minute", 60],
];

/**
 * In words: "5 min. ago", "in 2 hr.", "now".
 * @param {When} when
 * @returns {string}
 */
export function ago(when) {
    const seconds = (millis(when) - serverNow()) / 1000;
    for (const [unit, size] of UNITS) {
        if (Math.abs(seconds) >= size) {
            return relative.format(Math.trunc(seconds / size), unit);
        }
    }
    return Math.abs(seconds) < 10 ? "now" : relative.format(Math.trunc(seconds), "second");
}

/**
 * A length of time in words: "45 s", "3 min", "2 h", "5 d".
 * @param {number} ms
 * @returns {string}
 */
export function duration(ms) {
    const seconds = Math.round(ms / 1000);
    if (seconds < 120) {
        return `${seconds} s`;
    }
    if (seconds < 7200) {
        return `${Math.round(seconds / 60)} min`;
    }
    return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/**
 * @param {When} when
 * @param {string} none what is shown when there is no time
 * @param {(when: When) => string} words
 * @param {boolean} live whether the words change as time goes by
 * @returns {HTMLElement}
 */
function element(when, none, words, live) {
    const ms = millis(when);
    if (Number.isNaN(ms)) {
        return h("span", { class: "muted" }, none);
    }
    const iso = new Date(ms).toISOString();
    return h("time", { datetime: iso, title: `${full.format(ms)} · ${utc(ms)}`, "data-live": live },
        h("span", null, words(ms)), hidden(` (${utc(ms)})`));
}

/**
 * How long ago; it goes on by itself.
 * @param {When} when
 * @param {string} [none]
 * @returns {HTMLElement}
 */
export const timeAgo = (when, none = "never") => element(when, none, ago, true);

/**
 * Day, month and time of day.
 * @param {When} when
 * @param {string} [none]
 * @returns {HTMLElement}
 */
export const moment = (when, none = "never") => element(when, none, (one) => short.format(millis(one)), false);

/**
 * The same for rows of a list: with seconds where another row has the same minute.
 * @param {When[]} all times of the list
 * @returns {(when: When) => HTMLElement}
 */
export function distinctMoments(all) {
    /** @type {Map<string, number>} */
    const times = new Map();
    for (const when of all) {
        const words = short.format(millis(when));
        times.set(words, (times.get(words) ?? 0) + 1);
    }
    return (when) => element(when, "never", (one) => {
        const words = short.format(millis(one));
        return Number(times.get(words)) > 1 ? precise.format(millis(one)) : words;
    }, false);
}

/**
 * To the second, with the year.
 * @param {When} when
 * @param {string} [none]
 * @returns {HTMLElement}
 */
export const fullMoment = (when, none = "never") => element(when, none, (one) => full.format(millis(one)), false);

/**
 * The day alone.
 * @param {When} when
 * @param {string} [none]
 * @returns {HTMLElement}
 */
export const day = (when, none = "never") => element(when, none, (one) => date.format(millis(one)), false);

/**
 * Until when something holds: UTC's midnight is what the API makes of a day, which means its end.
 * @param {When} when
 * @returns {HTMLElement}
 */
export const endOf = (when) => element(when, "never", (one) => {
    const ms = millis(one);
    return ms % 86_400_000 === 0 ? `the end of ${utcDate.format(ms - 1)}` : full.format(ms);
}, false);

/**
 * As the value of an input of type datetime-local, in the viewer's zone.
 * @param {When} when
 * @returns {string}
 */
export function localInput(when) {
    const ms = millis(when);
    return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

setInterval(() => {
    if (document.hidden) {
        return;
    }
    for (const one of document.querySelectorAll("time[data-live]")) {
        const words = ago(one.getAttribute("datetime"));
        const text = one.firstElementChild?.firstChild;
        if (text && text.nodeValue !== words) {
            text.nodeValue = words;
        }
    }
}, 10_000);
