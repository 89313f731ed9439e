// @ts-check
// Who is signed in. The token is kept for the tab (sessionStorage) and nowhere else. Tabs of one browser
// share a session: a new tab asks the others for it, and whichever tab comes first refreshes it for all,
// because a refreshed token makes the old one invalid at once.

import { ApiError, request, serverNow } from "./http.js";

/**
 * @typedef {object} Session
 * @property {string} token
 * @property {string} email
 * @property {string} tenantId
 * @property {"admin" | "operator" | "member"} role
 * @property {number} expires ms since 1970, by the server's clock
 * @property {number} lifetime ms that the token had when it was made
 * @property {number} [ends] when the session ends, however often it is refreshed
 * @property {boolean} [setup] a second factor has to be set up before anything else
 */

const STORE = "loadline-session";
const REFRESH_BEFORE_MS = 10 * 60_000;
/** How long another tab of this browser is waited for. */
const ANSWER_MS = 200;
const RANKS = { member: 1, operator: 2, admin: 3 };

/** @type {Session | null} */
let current = null;

/** @type {Set<(session: Session | null, reason: string) => void>} */
const watchers = new Set();

const channel = "BroadcastChannel" in window ? new BroadcastChannel(STORE) : null;

/** @returns {Session | null} */
export const session = () => current;

/**
 * Whether the one who is signed in has this role or a higher one.
 * @param {"admin" | "operator" | "member"} role
 * @returns {boolean}
 */
export const can = (role) => current !== null && RANKS[current.role] >= RANKS[role];

/**
 * Calls back after every change: signed in, refreshed, signed out.
 * @param {(session: Session | null, reason: string) => void} callback
 */
export function onSession(callback) {
    watchers.add(callback);
}

function forget() {
    try {
        sessionStorage.clear();
    } catch {
        // Without storage there is nothing in it.
    }
}

/** @param {Session | null} next @param {string} reason */
function become(next, reason) {
    current = next;
    try {
        if (next) {
            sessionStorage.setItem(STORE, JSON.stringify(next));
        } else {
            forget();
        }
    } catch {
        // Without storage the session lasts until the page is loaded again.
    }
    plan();
    watchers.forEach((watcher) => watcher(next, reason));
}

/** What a token looks like; other things make no header. */
const TOKEN = /^[\w.~-]{16,200}$/;

/**
 * Of what another tab says or the storage has, which anybody at this browser may have written.
 * @param {unknown} value
 * @returns {Session | null}
 */
function asSession(value) {
    const one = /** @type {Partial<Session> | null} */ (value);
    const whole = one && TOKEN.test(String(one.token)) && typeof one.email === "string" && one.email.length <= 254 &&
        typeof one.tenantId === "string" && Number.isSafeInteger(one.expires) && Number.isSafeInteger(one.lifetime) &&
        (one.ends === undefined || Number.isSafeInteger(one.ends)) &&
        Object.hasOwn(RANKS, String(one.role));
    return whole ? /** @type {Session} */ (one) : null;
}

/**
 * A session of a token: the server says whose it is and for how long.
 * @param {string} token
 * @returns {Promise<Session>}
 */
async function verified(token) {
    const body = (await request("/api/auth/verify", { method: "POST", body: { token } })).data;
    const expires = Date.parse(body.expiresAt);
    const { email, tenantId, role } = body;
    const ends = Date.parse(body.sessionEndsAt) || undefined;
    const setup = body.secondFactorRequired === true;
    return { token, email, tenantId, role, expires, ends, setup, lifetime: expires - serverNow() };
}

/**
 * Signs in with what a login, a signup or a refresh has answered.
 * @param {string} token
 * @returns {Promise<void>}
 */
export async function adopt(token) {
    become(await verified(token), "signed-in");
}

/** Reads again what one may do, after the server has refused something that the page offered. */
export async function checkRole() {
    if (current) {
        const { role, setup = false } = await verified(current.token);
        if (current && (role !== current.role || setup !== Boolean(current.setup))) {
            become({ ...current, role, setup }, "role");
        }
    }
}

/**
 * Forgets everything of the session, in all tabs that share it.
 * @param {"signed-out" | "expired"} reason
 */
export function wipe(reason) {
    const token = current?.token;
    if (token) {
        channel?.postMessage({ kind: "wiped", token, reason });
    }
    become(null, reason);
}

/** Ends the session on the server as well. */
export async function signOut() {
    const token = current?.token;
    wipe("signed-out");
    if (token) {
        await request("/api/auth/logout", { method: "POST", body: {}, token }).catch(() => null);
    }
}

/**
 * Whether this tab may go on with it: who is signed in here stays who it is, whoever is in another tab.
 * @param {Session} other
 * @param {Session | null} mine
 * @returns {boolean}
 */
const isOurs = (other, mine) => mine === null || (other.email === mine.email && other.tenantId === mine.tenantId);

/**
 * Takes over what another tab has for a session, if it answers soon and has a newer one of the same person than
 * this tab. Not when this tab has got another one meanwhile, or has signed out.
 * @param {string} reason
 * @returns {Promise<void>}
 */
async function askOthers(reason) {
    const mine = current;
    const other = await answerOfOthers(mine);
    if (other && current === mine) {
        become(other, reason);
    }
}

/**
 * @param {Session | null} mine
 * @returns {Promise<Session | null>}
 */
function answerOfOthers(mine) {
    return new Promise((resolve) => {
        if (!channel) {
            resolve(null);
            return;
        }
        const done = new AbortController();
        channel.addEventListener("message", (message) => {
            const other = message.data?.kind === "have" ? asSession(message.data.session) : null;
            if (other && isOurs(other, mine) && other.token !== mine?.token && other.expires > (mine?.expires ?? 0)) {
                done.abort();
                resolve(other);
            }
        }, { signal: done.signal });
        channel.postMessage({ kind: "ask" });
        setTimeout(() => {
            done.abort();
            resolve(null);
        }, ANSWER_MS);
    });
}

channel?.addEventListener("message", ({ data }) => {
    if (data?.kind === "ask" && current) {
        channel.postMessage({ kind: "have", session: current });
    } else if (data?.kind === "refreshed" && current && data.old === current.token) {
        become(asSession(data.session) ?? current, "refreshed");
    } else if (data?.kind === "wiped" && current && data.token === current.token) {
        become(null, data.reason === "signed-out" ? "signed-out" : "expired");
    }
});

/**
 * One tab at a time. Web Locks are there on https and on loopback; elsewhere the loser of a race asks
 * the others for the new token.
 * @param {() => Promise<void>} work
 * @returns {Promise<void>}
 */
async function alone(work) {
    await (navigator.locks ? navigator.locks.request(STORE, work) : work());
}

/** A token that lasts as long as its session gets no longer by a refresh. */
const refreshAt = () => (current && current.expires < (current.ends ?? Infinity)
    ? current.expires - Math.min(REFRESH_BEFORE_MS, current.lifetime / 2) : Infinity);

async function refreshAlone() {
    if (!current) {
        return; // It has ended while others were refreshing.
    }
    await askOthers("refreshed");
    const before = current;
    if (!before || serverNow() < refreshAt()) {
        return;
    }
    const refreshed = await request("/api/auth/refresh", { method: "POST", body: { token: before.token } });
    const { token, expiresAt } = refreshed.data;
    if (current?.token !== before.token) {
        // Somebody has signed out meanwhile, with the token of before: the new one is nobody's.
        await request("/api/auth/logout", { method: "POST", body: {}, token }).catch(() => null);
        return;
    }
    const expires = Date.parse(expiresAt);
    const next = { ...current, token, expires, lifetime: expires - serverNow() };
    channel?.postMessage({ kind: "refreshed", old: before.token, session: next });
    become(next, "refreshed");
}

/**
 * The server has refused a token: takes over the one that another tab has got meanwhile, or ends the
 * session here.
 * @param {string} token
 * @returns {Promise<boolean>} whether there is another token to try
 */
export async function refused(token) {
    await alone(async () => {
        if (current?.token === token) {
            await askOthers("refreshed");
        }
    });
    if (current?.token === token) {
        wipe("expired");
    }
    return current !== null && current.token !== token;
}

let timer = 0;
const RETRY_MS = 15_000;

/** Sets the alarm for the next refresh; hidden tabs keep their session as well. */
function plan() {
    clearTimeout(timer);
    if (current) {
        // A timer that sleeps with the computer rings late; so look at least each minute.
        timer = window.setTimeout(refreshWhenDue, Math.min(60_000, Math.max(250, refreshAt() - serverNow())));
    }
}

async function refreshWhenDue() {
    if (!current || serverNow() < refreshAt()) {
        plan();
        return;
    }
    const { token } = current;
    try {
        await alone(refreshAlone);
    } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
            await refused(token);
        } else {
            clearTimeout(timer);
            timer = window.setTimeout(refreshWhenDue, RETRY_MS);
        }
    }
}

/** Takes up the session of this tab, or that of another one. Nothing is asked of the server. */
export async function resume() {
    let kept = null;
    try {
        kept = asSession(JSON.parse(sessionStorage.getItem(STORE) ?? "null"));
    } catch {
        // Nothing that can be read is nothing.
    }
    if (kept) {
        become(kept, "resumed");
    } else {
        await askOthers("resumed");
    }
    if (!current) {
        forget();
    }
}
