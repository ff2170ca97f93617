// Serves texts that do not change while the server runs, such as the API document: compressed once, when first asked for, with
// conditional requests (RFC 9110).
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';

/** The content in one encoding. Each has its own tag, because a strong tag identifies exact bytes. */
interface Variant {
  readonly encoding: 'br' | 'gzip' | null;
  readonly etag: string;
  readonly bytes: Buffer;
}

/** Quality 5 is a tenth smaller than gzip in half the time; the highest quality would take seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Serves the API document. @param make called with the first request */
export function serveDocument(make: () => Buffer): RequestHandler {
  return serveContent(make, 'application/json; charset=utf-8');
}

/** Serves GET and HEAD, without ranges and without a modification date for If-Modified-Since. @param type media type */
export function serveContent(make: () => Buffer, type: string): RequestHandler {
  let variants: Promise<readonly Variant[]> | null = null;
  return async (req, res) => {
    // A failure is not remembered: it passes with its cause.
    variants ??= compressed(make()).catch((error) => {
      variants = null;
      throw error;
    });
    const { encoding, etag, bytes } = chosen(req, await variants);
    res.set({ ETag: etag, 'Cache-Control': 'no-cache' }).vary('Accept-Encoding');
    const status = statusFor(req, etag);
    if (status !== 200) {
      res.status(status).end();
      return;
    }
    if (encoding !== null) res.set('Content-Encoding', encoding);
    res.set({ 'Content-Type': type, 'Content-Length': String(bytes.length) });
    // Otherwise Node sends the head of a pipelined response ahead of the 100 Continue queued before it.
    res.flushHeaders();
    res.end(req.method === 'HEAD' ? undefined : bytes);
  };
}

/** Runs off the event loop, so that other requests do not wait for it. */
async function compressed(bytes: Buffer): Promise<readonly Variant[]> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, BROTLI), promisify(gzip)(bytes)]);
  return [
    { encoding: 'br', etag: `"${hash}-br"`, bytes: br },
    { encoding: 'gzip', etag: `"${hash}-gzip"`, bytes: gz },
    { encoding: null, etag: `"${hash}"`, bytes },
  ];
}

/** The first encoding that the client accepts; uncompressed if it accepts none, since any response is better than none. */
function chosen(req: Request, variants: readonly Variant[]): Variant {
  const accepted = variants.find(({ encoding }) => encoding !== null && req.acceptsEncodings(encoding) !== false);
  return accepted ?? (variants.at(-1) as Variant);
}

/** If-Match compares strongly and comes first; If-None-Match compares weakly. */
function statusFor({ headers }: Request, etag: string): 200 | 304 | 412 {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && !tags(match).some((tag) => tag === '*' || tag === etag)) return 412;
  if (noneMatch === undefined) return 200;
  return tags(noneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag) ? 304 : 200;
}

function tags(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim());
}
