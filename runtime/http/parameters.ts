// Gathers the parameters of a request from its query and its body into one bag (D10). Knows no parameter's meaning.
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';
import type { MaybePromise } from '../store/store.js';
import { type Bag, emptyBag } from './bag.js';
import { checkEncoding, hasBody, mediaType, readBody } from './body.js';
import { type Files, type Form, type Part, readMultipart } from './multipart.js';
import { readPairs } from './query.js';

/**
 * Without a body the answer is there at once. Throws `malformed`, `too_large`, `invalid`, `storage_full`.
 * @param query text behind the question mark, empty without
 * @param part the file part that the route takes, or null
 */
export function gather(req: IncomingMessage, query: string, part: Part | null, files: Files): MaybePromise<Form> {
  const parameters = query === '' ? emptyBag() : readPairs(query);
  if (!hasBody(req)) return { parameters, received: null, dropped: [] };
  return withBody(req, parameters, part, files);
}

async function withBody(req: IncomingMessage, query: Bag, part: Part | null, files: Files): Promise<Form> {
  // Else it would be waited for until the connection times out.
  if (req.readableEnded) throw new Error('Something in front of the dispatcher has read the body.');
  checkEncoding(req);
  const form: Form =
    mediaType(req) === 'multipart/form-data'
      ? await readMultipart(req, part, files)
      : { parameters: await readBody(req), received: null, dropped: [] };
  // Object.assign would be as safe: neither has a prototype with setters.
  return { ...form, parameters: Object.assign(query, form.parameters) };
}

/**
 * Takes the session id out of the bag, else reads it from the Authorization header (D11); null without.
 * Throws `invalid` when it was given twice.
 */
export function takeSession(bag: Bag, authorization: string | undefined): string | null {
  const given = bag.session_id;
  if (given !== undefined) {
    delete bag.session_id;
    if (typeof given === 'string' && given !== '') return given;
    if (given !== null && given !== '') throw badSession();
  }
  if (authorization === undefined) return null;
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}

function badSession(): ServiceError {
  const message = 'session_id must be one text.';
  return new ServiceError('invalid', message, [{ field: 'session_id', code: 'invalid', message }]);
}
