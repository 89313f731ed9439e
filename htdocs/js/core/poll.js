// @ts-check
// Reading again and again, as long as somebody looks: hidden tabs ask nothing, an unchanged answer
// changes nothing, and a server that is away is asked less and less often.

import { getIfChanged, isAbort } from "./api.js";

/** @typedef {import("./types.js").Reads} Reads */

/**
 * @typedef {object} Repeat
 * @property {() => void} now asks at once, say after a change
 * @property {() => void} stop
 */

/** @typedef {Repeat & {anew: () => void}} Poll anew: now, and shows the answer though it is the last one again */

const SLOWEST_MS = 60_000;

/**
 * Runs `work` now and then every `every` ms until `signal`, while it is `active`.
 * @param {{every: number, signal: AbortSignal, active?: () => boolean, work: (signal: AbortSignal) => Promise<void>,
 *   failed: (error: unknown) => void}} how
 * @returns {Repeat}
 */
export function repeat({ every, signal, active = () => true, work, failed }) {
    let timer = 0;
    let failures = 0;
    let due = 0;
    let running = false;
    let again = false;

    async function run() {
        clearTimeout(timer);
        if (running) {
            again = true;
            return;
        }
        if (!active()) {
            plan(every);
            return;
        }
        running = true;
        try {
            await work(signal);
            failures = 0;
        } catch (error) {
            if (!isAbort(error) && !signal.aborted) {
                failures += 1;
                failed(error);
            }
        }
        running = false;
        const wait = again ? 0 : Math.min(Math.max(SLOWEST_MS, every), every * 2 ** Math.min(failures, 6));
        again = false;
        due = Date.now() + wait;
        plan(wait);
    }

    /** @param {number} wait */
    function plan(wait) {
        clearTimeout(timer);
        if (!signal.aborted && !document.hidden) {
            timer = window.setTimeout(run, wait);
        }
    }

    const seen = () => plan(Math.max(0, due - Date.now()));
    const online = () => plan(0);
    const stop = () => {
        clearTimeout(timer);
        document.removeEventListener("visibilitychange", seen);
        window.removeEventListener("online", online);
    };
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("online", online);
    signal.addEventListener("abort", stop);
    run();
    return { now: () => run(), stop };
}

/**
 * Polls one route. `show` is called with the first answer and whenever it has changed; `failed` with
 * every failure, `well` after every success, changed or not.
 * @template {keyof Reads} P
 * @param {P} path
 * @param {() => import("./api.js").Params} params asked anew each time
 * @param {{every?: number, signal: AbortSignal, active?: () => boolean,
 *   show: (data: Reads[P], answer: import("./api.js").Answer<Reads[P]>) => void,
 *   failed: (error: unknown) => void, well?: () => void}} how
 * @returns {Poll}
 */
export function poll(path, params, { every = 10_000, signal, active, show, failed, well }) {
    let question = "";
    let etag = "";
    let text = "";

    /** @param {AbortSignal} until */
    async function work(until) {
        const asked = params();
        const key = JSON.stringify(asked);
        const known = key === question;
        const answer = await getIfChanged(path, asked, { signal: until, etag: known ? etag : "" });
        if (until.aborted) {
            return;
        }
        well?.();
        if (answer && !(known && answer.text === text)) {
            ({ etag, text } = answer);
            question = key;
            show(answer.data, answer);
        }
    }
    const asking = repeat({ every, signal, active, work, failed });
    return { ...asking, anew: () => {
        question = "";
        asking.now();
    } };
}
