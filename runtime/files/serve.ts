// Sends stored bytes to whoever has their address (D25), with headers that keep a browser from executing them.

import { timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../errors.js';
import { shortageOf } from '../http/shortage.js';
import { chain } from '../maybe-promise.js';
import type { FileIndex, ServedFile } from '../store/engine.js';
import type { Blobs } from './blobs.js';
import { RASTER_TYPES } from './inspect.js';

/** SVG may contain scripts, which cannot run in an attachment or in a sandbox without sources. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const YEAR = 365 * 24 * 60 * 60;

/** Serves `GET` and `HEAD /files/:id/:key`; a file that does not exist under that key goes to `next` as not_found. */
export function createServeFile(files: Pick<FileIndex, 'served'>, blobs: Blobs): RequestHandler {
  return (request, response, next) => {
    const { id, key } = request.params;
    // Express passes a rejection to `next`.
    return chain(files.served(String(id)), (file) => {
      if (file === null || !sameText(file.key, String(key))) {
        next(new ServiceError('not_found', 'There is no such file.'));
        return;
      }
      response.set(headers(file));
      dropInapplicable(request);
      // The headers are set above; the library adds ranges and conditional requests.
      const options = { root: blobs.folder, etag: false, lastModified: false, cacheControl: false };
      response.sendFile(blobs.path(file.hash), options, (error) => {
        if (error) failed(error as SendError, response, next);
      });
    });
  };
}

/** Removes what HTTP requires a server to ignore and the library does not: a date without Last-Modified, a range outside GET (RFC 9110). */
function dropInapplicable(request: Request): void {
  delete request.headers['if-unmodified-since'];
  if (request.method !== 'GET') delete request.headers.range;
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function headers({ name, type, hash }: ServedFile): Record<string, string> {
  const disposition = RASTER_TYPES.includes(type) ? 'inline' : 'attachment';
  return {
    'Content-Type': type,
    'Content-Disposition': `${disposition}; filename="${plain(name)}"; filename*=UTF-8''${extended(name)}`,
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': `private, max-age=${YEAR}, immutable`,
    ETag: `"${hash}"`,
  };
}

/** For clients that do not understand the extended form (RFC 6266). */
function plain(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
}

function extended(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

interface SendError extends Error {
  readonly code?: string;
  readonly status?: number;
}

function failed(error: SendError, response: Response, next: NextFunction): void {
  const { status = 500 } = error;
  // The client went away, or the response has begun: no error can be sent.
  if (error.code === 'ECONNABORTED' || response.headersSent) {
    response.destroy();
    return;
  }
  if (status === 412 || status === 416) {
    response.removeHeader('Content-Disposition');
    response.removeHeader('Content-Type');
    // Otherwise the error would be cached for a year in place of the bytes.
    response.status(status).set('Cache-Control', 'no-store').end();
    return;
  }
  // The row exists but its bytes do not: damage to be logged, not the caller's mistake.
  for (const name of ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag']) response.removeHeader(name);
  next(shortageOf(error) ?? new Error('The bytes of a stored file are missing.', { cause: error }));
}
