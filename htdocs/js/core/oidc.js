// @ts-check
// Signing in by an issuer of OpenID Connect. What proves that this browser began (the verifier of PKCE) stays in the
// tab; the issuer sends the browser back to this page with a code.

import { ApiError, request } from "./http.js";

const STORE = "loadline-oidc";
/** Ten minutes, as the server has it. */
const PATIENCE_MS = 600_000;

/** @typedef {{state: string, verifier: string, next: string, at: number}} Begun */
/** @typedef {{begun: Begun | null, state: string, code: string, iss: string | null, error: string}} Return */

/** @param {Uint8Array} bytes */
const text = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");

/**
 * Leaves this page for the issuer.
 * @param {string} next where to go on afterwards
 */
export async function begin(next) {
    if (!crypto.subtle) {
        throw new ApiError(0, "insecure", "Your browser allows this over https only.");
    }
    const verifier = text(crypto.getRandomValues(new Uint8Array(32)));
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const challenge = text(new Uint8Array(digest));
    const { url, state } = (await request("/api/auth/oidc", { method: "POST", body: { challenge } })).data;
    if (!String(url).startsWith("https://")) {
        throw new ApiError(0, "insecure", "The sign-in service has no address with https.");
    }
    sessionStorage.setItem(STORE, JSON.stringify({ state, verifier, next, at: Date.now() }));
    location.assign(url);
}

/** @returns {Begun | null} what this tab has begun, and has no more */
function take() {
    try {
        const begun = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
        sessionStorage.removeItem(STORE);
        const whole = begun && [begun.state, begun.verifier, begun.next].every((one) => typeof one === "string") &&
            Date.now() - begun.at < PATIENCE_MS;
        return whole ? begun : null;
    } catch {
        return null;
    }
}

/**
 * What the issuer has sent this browser back with. It is taken out of the address at once.
 * @returns {Return | null}
 */
export function takeReturn() {
    const query = new URLSearchParams(location.search);
    const state = query.get("state");
    if (!state || !(query.has("code") || query.has("error"))) {
        return null;
    }
    history.replaceState(null, "", `${location.pathname}${location.hash}`);
    return { begun: take(), state, code: query.get("code") ?? "", iss: query.get("iss"),
        error: query.get("error") ?? "" };
}

/**
 * @param {Return} back
 * @returns {Promise<string>} the token of the session
 */
export async function finish({ begun, state, code, iss, error }) {
    if (!begun || begun.state !== state) {
        throw new ApiError(0, "bad_sign_in", "This tab has not begun that sign-in, or too long ago. Begin anew.");
    }
    if (error || !code) {
        throw new ApiError(0, "bad_sign_in", "The sign-in service did not let you in.");
    }
    const answer = await request("/api/auth/oidc/finish", { method: "POST",
        body: { state, code, verifier: begun.verifier, iss } });
    return answer.data.token;
}
