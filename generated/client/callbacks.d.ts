// Written by `punchboard gen`, the same for every service. Do not edit.
/** The three parameters of a callback as they arrived, decoded from the form and nothing else. */
export interface Callback {
    readonly epoch: string;
    readonly message: string;
    readonly hmac: string;
}
/** A callback as it arrived, of either format. */
export interface ReceivedCallback {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> | Iterable<readonly [name: string, value: string]>;
    /** Not parsed, and not serialized again. */
    readonly body: string | Uint8Array;
}
export interface VerifyOptions {
    /** The receiver's clock, milliseconds since 1970; the present by default. */
    readonly now?: number;
    /** Seconds by which a callback may differ from it; 300 by default. */
    readonly tolerance?: number;
}
/**
 * Whether a callback was signed just now with one of the secrets: the private key of the API key, or the `whsec_…` of the web hook,
 * of which there are two while one takes the place of another. By its header `webhook-signature` (Standard Webhooks) if it has one;
 * else it is a form with an `hmac`, for which the private key is needed. Anything else is false, never an exception.
 */
export declare function verifyCallback(callback: Partial<Callback> | ReceivedCallback, secrets: string | readonly string[], { now, tolerance }?: VerifyOptions): Promise<boolean>;
