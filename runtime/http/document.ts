// Serves the API document, compressed once at start, with conditional requests (RFC 9110).
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';

/** The document in one encoding. Each has a tag of its own: a strong tag stands for the very bytes. */
interface Variant {
  readonly encoding: 'br' | 'gzip' | null;
  readonly etag: string;
  readonly bytes: Buffer;
}

/** A tenth smaller than gzip in half the time; the highest quality would take seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Answers GET and HEAD. Ranges are not offered, and there is no date for If-Modified-Since to be compared with. */
export function serveDocument(text: string): RequestHandler {
  const variants = compressed(Buffer.from(text));
  // Whoever asks hears of a failure; nobody else is to.
  variants.catch(() => undefined);
  return async (req, res) => {
    const { encoding, etag, bytes } = chosen(req, await variants);
    res.set({ ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache' });
    const status = statusFor(req, etag);
    if (status !== 200) {
      res.status(status).end();
      return;
    }
    if (encoding !== null) res.set('Content-Encoding', encoding);
    res.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes.length) });
    // Else Node puts the head of a pipelined answer in front of the 100 Continue that waits before it.
    res.flushHeaders();
    res.end(req.method === 'HEAD' ? undefined : bytes);
  };
}

/** Beside the event loop: no start waits for it. */
async function compressed(bytes: Buffer): Promise<readonly Variant[]> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, BROTLI), promisify(gzip)(bytes)]);
  return [
    { encoding: 'br', etag: `"${hash}-br"`, bytes: br },
    { encoding: 'gzip', etag: `"${hash}-gzip"`, bytes: gz },
    { encoding: null, etag: `"${hash}"`, bytes },
  ];
}

/** The first that the client takes. As it is, also for who refuses that: an answer is better than none. */
function chosen(req: Request, variants: readonly Variant[]): Variant {
  const taken = variants.find(({ encoding }) => encoding !== null && req.acceptsEncodings(encoding) !== false);
  return taken ?? (variants.at(-1) as Variant);
}

/** If-Match compares strongly, If-None-Match weakly and only after it. */
function statusFor({ headers }: Request, etag: string): 200 | 304 | 412 {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && !tags(match).some((tag) => tag === '*' || tag === etag)) return 412;
  if (noneMatch === undefined) return 200;
  return tags(noneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag) ? 304 : 200;
}

function tags(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim());
}
