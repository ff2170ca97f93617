// Sends stored bytes to anyone who has their address (D25), with headers that keep a browser from executing them.

import { timingSafeEqual } from 'node:crypto';
import { pipeline } from 'node:stream';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import { shortageOf } from '../contract/shortage.js';
import type { FileIndex, ServedFile } from '../store/engine.js';
import type { BlobStore, ByteRange, StoredBlob } from './blob-store.js';
import { RASTER_TYPES } from './inspect.js';

/** SVG may contain scripts, which cannot run in an attachment or in a sandbox without sources. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const YEAR = 365 * 24 * 60 * 60;

/** Serves `GET` and `HEAD /files/:id/:key`; a file that does not exist under that key goes to `next` as not_found. */
export function createServeFile(files: Pick<FileIndex, 'findFile'>, store: BlobStore): RequestHandler {
  return (request, response, next) => {
    const { id, key } = request.params;
    // Express passes a rejection to `next`.
    return chain(files.findFile(String(id)), (file) => {
      if (file === null || !sameText(file.key, String(key))) {
        next(new ServiceError('not_found', 'There is no such file.'));
        return;
      }
      return respond(file, store, { request, response }).catch((error) => failed(error, response, next));
    });
  };
}

interface FileExchange {
  readonly request: Request;
  readonly response: Response;
}

async function respond(file: ServedFile, store: BlobStore, { request, response }: FileExchange): Promise<void> {
  const blob = await store.find(file.hash);
  if (blob === null) throw new Error('The bytes of a stored file are missing.');
  const etag = `"${file.hash}"`;
  response.set({ ...headers(file), 'Accept-Ranges': 'bytes', ETag: etag });
  if (!isMatched(request, etag)) refuse(response, 412);
  else if (request.fresh) unchanged(response);
  else if (request.method === 'HEAD') response.set('Content-Length', String(blob.size)).end();
  else await sendBytes(blob, etag, { request, response });
}

async function sendBytes(blob: StoredBlob, etag: string, { request, response }: FileExchange): Promise<void> {
  const range = rangeOf(request, etag, blob.size);
  if (range === 'beyond') {
    response.set('Content-Range', `bytes */${blob.size}`);
    refuse(response, 416);
    return;
  }
  const bytes = await blob.read(range);
  const { start, end } = range ?? { start: 0, end: blob.size - 1 };
  if (range !== null) response.status(206).set('Content-Range', `bytes ${start}-${end}/${blob.size}`);
  response.set('Content-Length', String(end - start + 1));
  // A failure cuts the connection, as the response has begun.
  pipeline(bytes, response, () => undefined);
}

/** Whether `If-Match` allows a response. Conditions on dates are ignored, as nothing here has one (RFC 9110). */
function isMatched(request: Request, etag: string): boolean {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted === '' || wanted === '*') return true;
  return wanted.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

/** Null: all bytes. Several ranges, or ranges of other content, count as all; `beyond`: there are no such bytes. */
function rangeOf(request: Request, etag: string, size: number): ByteRange | null | 'beyond' {
  const { range, 'if-range': condition = '' } = request.headers;
  if (range === undefined || !/^ *bytes=/.test(range)) return null;
  if (condition !== '' && !String(condition).includes(etag)) return null;
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) return 'beyond';
  return typeof ranges === 'object' && ranges.length === 1 ? (ranges[0] ?? null) : null;
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function headers({ name, type }: ServedFile): Record<string, string> {
  const disposition = RASTER_TYPES.includes(type) ? 'inline' : 'attachment';
  return {
    'Content-Type': type,
    'Content-Disposition': `${disposition}; filename="${plain(name)}"; filename*=UTF-8''${extended(name)}`,
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': `private, max-age=${YEAR}, immutable`,
  };
}

/** For clients that do not understand the extended form (RFC 6266). */
function plain(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
}

function extended(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function unchanged(response: Response): void {
  response.removeHeader('Content-Type');
  response.status(304).end();
}

/** Answers without bytes. Otherwise the refusal would be cached for a year in their place. */
function refuse(response: Response, status: number): void {
  response.removeHeader('Content-Disposition');
  response.removeHeader('Content-Type');
  response.status(status).set('Cache-Control', 'no-store').end();
}

function failed(error: unknown, response: Response, next: NextFunction): void {
  for (const name of ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag', 'Accept-Ranges']) {
    response.removeHeader(name);
  }
  // A row without bytes is damage to be logged, not the caller's mistake.
  next(shortageOf(error) ?? error);
}
