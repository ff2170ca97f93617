// Reads a request's body into memory, within a limit, and turns it into parameters by its content type.
// Multipart bodies are read elsewhere.

import type { IncomingMessage } from 'node:http';
import { REQUESTS } from '../contract/defaults.js';
import { ServiceError } from '../contract/errors.js';
import { readJson } from './json.js';
import { emptyParameters, type RawParameters, readPairs } from './raw-parameters.js';

const READERS: ReadonlyMap<string, (text: string) => RawParameters> = new Map([
  ['application/json', readJson],
  ['application/x-www-form-urlencoded', readPairs],
]);

/** Readers for the body of a PATCH (D58). */
const PATCH_READERS: typeof READERS = new Map([
  ['application/json', readJson],
  ['application/merge-patch+json', readJson],
]);

/** The types of bodies that are read (D59). */
const ACCEPTED = [...READERS.keys(), 'multipart/form-data'].join(', ');
const ACCEPTED_PATCHES = [...PATCH_READERS.keys()].join(', ');

export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The media type without its parameters, in lower case; empty if there is none. */
function mediaType(req: IncomingMessage): string {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** Throws `malformed` if the body is compressed or otherwise encoded. */
export function checkEncoding(req: IncomingMessage): void {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('malformed', 'The body must not have a content encoding.');
  }
}

/** The length of the body in bytes as declared in the head; NaN if it is not declared. */
export function declaredLength(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? Number.NaN);
}

/**
 * An empty body may have any type. Throws `too_large`, `unsupported_media_type`, `malformed`, `invalid` for a duplicate name.
 * @param hold called before bytes are kept in memory; may throw
 */
export async function readBody(req: IncomingMessage, hold: (bytes: number) => void): Promise<RawParameters> {
  const bytes = await collect(req, hold);
  if (bytes.length === 0) return emptyParameters();
  const read = (isPatch(req) ? PATCH_READERS : READERS).get(mediaType(req));
  if (read === undefined) throw unsupportedType(req);
  return read(decode(bytes));
}

function unsupportedType(req: IncomingMessage): ServiceError {
  const [header, types] = isPatch(req) ? ['Accept-Patch', ACCEPTED_PATCHES] : ['Accept-Post', ACCEPTED];
  const message = `The body must have one of these content types: ${types}.`;
  return new ServiceError('unsupported_media_type', message, [], { [header]: types });
}

function isPatch({ method }: IncomingMessage): boolean {
  return method === 'PATCH';
}

/** Whether the body has parts; that of a PATCH never does. */
export function isMultipart(req: IncomingMessage): boolean {
  return mediaType(req) === 'multipart/form-data' && !isPatch(req);
}

function collect(req: IncomingMessage, hold: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const collectChunk = (chunk: Buffer) => {
      try {
        size += chunk.length;
        if (size > REQUESTS.body) throw tooLarge(REQUESTS.body);
        hold(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        chunks.length = 0;
        // The rest must still be read, or the connection could not be reused.
        req.off('data', collectChunk).resume();
        reject(error);
      }
    };
    req.on('data', collectChunk);
    req.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    req.on('error', () => reject(endedEarly()));
  });
}

export function tooLarge(bytes: number): ServiceError {
  return new ServiceError('too_large', `The body must not be larger than ${bytes} bytes.`);
}

export function endedEarly(): ServiceError {
  return new ServiceError('malformed', 'The body ended early.');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ServiceError('malformed', 'The body is not UTF-8.');
  }
}
