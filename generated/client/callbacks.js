// Written by `punchboard gen`, the same for every service. Do not edit.
// Verifies callbacks for receivers of web hooks; a module of its own, so that bundles of other programs leave it out. `gen` copies it,
// compiled, into the client's package. It depends on nothing but WebCrypto, and decides as `punchboard/webhooks/verify` does.
export async function verifyCallback(callback, secrets, { now = Date.now(), tolerance = 300 } = {}) {
    const signed = 'headers' in callback ? signedRequest(callback) : signedForm(callback);
    if (signed === null)
        return false;
    const usable = [secrets].flat().filter((one) => typeof one === 'string' && one !== '');
    const checks = usable.map((secret) => signed.accepts(secret).catch(() => false));
    return (await Promise.all(checks)).includes(true) && Math.abs(now / 1000 - Number(signed.epoch)) <= tolerance;
}
const EPOCH = /^(0|[1-9]\d{0,14})$/;
const PREFIX = 'whsec_';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
function signedForm({ epoch, message, hmac }) {
    if (typeof epoch !== 'string' || typeof message !== 'string' || typeof hmac !== 'string')
        return null;
    if (!EPOCH.test(epoch) || !/^[0-9a-f]{64}$/.test(hmac))
        return null;
    const signature = Uint8Array.from(hmac.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
    return {
        epoch,
        accepts: async (secret) => !secret.startsWith(PREFIX) && verified(await keyOf(bytesOf(secret)), signature, bytesOf(`${epoch}.${message}`)),
    };
}
function signedRequest({ headers, body }) {
    if (typeof headers !== 'object' || headers === null)
        return null;
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
        return null;
    const all = Symbol.iterator in headers ? headers : Object.entries(headers);
    const named = Object.fromEntries(Array.from(all, ([name, value]) => [name.toLowerCase(), value]));
    const { 'webhook-id': id, 'webhook-timestamp': epoch, 'webhook-signature': signature } = named;
    if (signature === undefined) {
        const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
        return signedForm(Object.fromEntries(new URLSearchParams(text)));
    }
    if (typeof id !== 'string' || typeof epoch !== 'string' || typeof signature !== 'string')
        return null;
    // There may be signatures of later versions beside ours.
    const signatures = signature.split(' ').filter((one) => one.startsWith('v1,'));
    if (id === '' || !EPOCH.test(epoch) || signatures.length === 0)
        return null;
    const text = joined(bytesOf(`${id}.${epoch}.`), typeof body === 'string' ? bytesOf(body) : body);
    return {
        epoch,
        async accepts(secret) {
            const key = await standardKey(secret);
            const checks = signatures.map(async (one) => verified(key, decoded(one.slice(3)), text));
            return (await Promise.all(checks.map((check) => check.catch(() => false)))).includes(true);
        },
    };
}
async function standardKey(secret) {
    if (secret.startsWith(PREFIX))
        return keyOf(decoded(secret.slice(PREFIX.length)));
    return keyOf(new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(bytesOf(secret)), bytesOf('whsec'))));
}
function keyOf(bytes) {
    return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);
}
function verified(key, signature, text) {
    return crypto.subtle.verify('HMAC', key, signature, text);
}
function bytesOf(text) {
    return new TextEncoder().encode(text);
}
function decoded(text) {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
function joined(first, second) {
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
}
