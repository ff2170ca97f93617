// Written by `punchboard gen`, the same for every service. Do not edit.
/** The three parameters of a callback as they arrived, decoded from the form and nothing else. */
export interface Callback {
    readonly epoch: string;
    readonly message: string;
    readonly hmac: string;
}
/** A callback as it arrived, in either format. */
export interface ReceivedCallback {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> | Iterable<readonly [name: string, value: string]>;
    /** Not parsed, and not serialized again. */
    readonly body: string | Uint8Array;
}
export interface VerifyOptions {
    /** The receiver's clock, milliseconds since 1970; the present by default. */
    readonly now?: number;
    /** Seconds by which the time of a callback may differ from the clock; 300 by default. */
    readonly tolerance?: number;
}
/**
 * Whether a callback was signed just now with one of the secrets: the private key of the API key, or the `whsec_…` secret of the
 * web hook. Pass both the old and the new secret while one replaces the other. A callback with the header `webhook-signature` is
 * verified by it (Standard Webhooks); any other is a form with an `hmac`, which only the private key verifies. The result is false
 * for anything else; the promise never rejects.
 */
export declare function verifyCallback(callback: Partial<Callback> | ReceivedCallback, secrets: string | readonly string[], { now, tolerance }?: VerifyOptions): Promise<boolean>;
