// @ts-check
// Requests to this Loadline and nobody else: JSON in, JSON out, errors as ApiError.

/** A refusal of the API, or no answer at all (status 0). */
export class ApiError extends Error {
    /**
     * @param {number} status
     * @param {string} code
     * @param {string} message
     * @param {{field?: string, retryAfter?: number, requestId?: string}} [more]
     */
    constructor(status, code, message, more = {}) {
        super(message);
        this.status = status;
        this.code = code;
        this.field = more.field ?? "";
        this.retryAfter = more.retryAfter ?? 0;
        this.requestId = more.requestId ?? "";
    }

    /** Whether asking again later may help: nobody answers, or the server says that it is away or busy. */
    get away() {
        return this.status === 0 || this.status === 429 || this.status >= 502;
    }
}

/** How long a server may say nothing, also in the middle of an answer. */
const PATIENCE_MS = 30_000;
const FILE_PATIENCE_MS = 180_000;

/** How far the server's clock is ahead of this one, in ms; ages are told by the server's. */
let ahead = 0;

/**
 * The server's time as well as it is known.
 * @returns {number} ms since 1970
 */
export const serverNow = () => Date.now() + ahead;

/** Since when the server does not answer, in ms; 0 while it does. */
let silentSince = 0;

/** @type {Set<(since: number) => void>} */
const connectionWatchers = new Set();

/**
 * Calls back when the server stops answering, and when it answers again.
 * @param {(since: number) => void} callback ms since 1970, 0 when it answers
 */
export function onConnection(callback) {
    connectionWatchers.add(callback);
}

/** @param {boolean} answers */
function setConnection(answers) {
    if (answers !== (silentSince === 0)) {
        silentSince = answers ? 0 : Date.now();
        connectionWatchers.forEach((watcher) => watcher(silentSince));
    }
}

/** @param {Response} response */
function readClock(response) {
    const date = Date.parse(response.headers.get("Date") ?? "");
    // The header has whole seconds; what is less than two of them apart is the same.
    if (!Number.isNaN(date)) {
        const difference = date - Date.now();
        ahead = Math.abs(difference) < 2000 ? 0 : difference;
    }
}

/**
 * An address of the API with its parameters; those that are null, undefined or "" are left out.
 * @param {string} path beginning with a slash
 * @param {{[name: string]: string | number | null | undefined}} [params]
 * @returns {string}
 */
export function address(path, params = {}) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) {
        if (value !== null && value !== undefined && value !== "") {
            query.set(name, String(value));
        }
    }
    const text = query.toString();
    return text ? `${path}${path.includes("?") ? "&" : "?"}${text}` : path;
}

/**
 * @typedef {object} Ask
 * @property {string} [method]
 * @property {object} [body] sent as JSON
 * @property {string} [token]
 * @property {string} [etag] of the answer that is there: 304 is a success then
 * @property {AbortSignal} [signal]
 */

/**
 * An answer whose body is here as a whole.
 * @typedef {object} Reply
 * @property {Headers} headers
 * @property {boolean} unchanged a 304: text and data are empty
 * @property {string} text the body as it came
 * @property {ReturnType<JSON["parse"]>} data what it says
 */

/**
 * One request for JSON. Resolves for 2xx and 304, throws an ApiError otherwise, and the AbortError of `signal`.
 * @param {string} target path and parameters
 * @param {Ask} [ask]
 * @returns {Promise<Reply>}
 */
export const request = (target, ask = {}) => exchange(target, ask, PATIENCE_MS, async ({ headers, status }, body) => {
    const text = await body.text();
    const unchanged = status === 304;
    return { headers, unchanged, text, data: unchanged ? undefined : JSON.parse(text) };
});

/**
 * One request for a file, which takes longer to make.
 * @param {string} target path and parameters
 * @param {Ask} [ask]
 * @returns {Promise<{headers: Headers, file: Blob}>}
 */
export const requestFile = (target, ask = {}) => exchange(target, ask, FILE_PATIENCE_MS,
    async ({ headers }, file) => ({ headers, file }));

/**
 * Asks, and reads the answer to its end. One that is not JSON as it should be counts as broken off, too.
 * @template T
 * @param {string} target
 * @param {Ask} ask
 * @param {number} patience ms without a byte
 * @param {(response: Response, body: Blob) => Promise<T>} read
 * @returns {Promise<T>}
 */
async function exchange(target, ask, patience, read) {
    const limit = new AbortController();
    const giveUp = () => limit.abort();
    let timer = setTimeout(giveUp, patience);
    const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, patience);
    };
    ask.signal?.addEventListener("abort", giveUp);
    let begun = false;
    try {
        ask.signal?.throwIfAborted();
        const response = await send(target, ask, limit.signal);
        begun = true;
        readClock(response);
        const body = await wholeBody(response, alive);
        const answer = response.ok || response.status === 304 ? await read(response, body) : null;
        setConnection(response.status < 502);
        if (answer === null) {
            throw await refusal(response, body);
        }
        return answer;
    } catch (cause) {
        if (cause instanceof ApiError || ask.signal?.aborted) {
            throw cause;
        }
        setConnection(false);
        throw begun ? new ApiError(0, "broken_off", "The server broke off in the middle of its answer.")
            : new ApiError(0, "no_answer", "The server does not answer.");
    } finally {
        clearTimeout(timer);
        ask.signal?.removeEventListener("abort", giveUp);
    }
}

/**
 * @param {string} target
 * @param {Ask} ask
 * @param {AbortSignal} signal
 * @returns {Promise<Response>}
 */
function send(target, ask, signal) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (ask.token) {
        headers.Authorization = `Bearer ${ask.token}`;
    }
    if (ask.etag) {
        headers["If-None-Match"] = ask.etag;
    }
    if (ask.body) {
        headers["Content-Type"] = "application/json";
    }
    return fetch(target.replace(/^\//, ""), {
        method: ask.method ?? "GET",
        headers,
        body: ask.body ? JSON.stringify(ask.body) : undefined,
        signal,
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
    });
}

/**
 * @param {Response} response
 * @param {() => void} alive called for each piece
 * @returns {Promise<Blob>}
 */
async function wholeBody(response, alive) {
    const reader = response.body?.getReader();
    const pieces = [];
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
        alive();
        pieces.push(piece.value);
    }
    return new Blob(pieces, { type: response.headers.get("Content-Type") ?? "" });
}

/**
 * @param {Response} response
 * @param {Blob} answer
 * @returns {Promise<ApiError>}
 */
async function refusal(response, answer) {
    /** @type {{error?: unknown, code?: unknown, field?: unknown}} */
    let body = {};
    try {
        body = JSON.parse(await answer.text());
    } catch {
        // What stands in front may answer something else than JSON.
    }
    const text = typeof body.error === "string" ? body.error : `The server answered ${response.status}.`;
    return new ApiError(response.status, typeof body.code === "string" ? body.code : "unknown", text, {
        field: typeof body.field === "string" ? body.field : "",
        retryAfter: Number(response.headers.get("Retry-After")) || 0,
        requestId: response.headers.get("X-Request-Id") ?? "",
    });
}

/**
 * Whether this is what an aborted request throws.
 * @param {unknown} error
 * @returns {boolean}
 */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";
