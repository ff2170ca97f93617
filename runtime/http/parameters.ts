// Collects the parameters of a request from its query and its body (D10).
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';
import { checkEncoding, declaredLength, MAX_BODY, mediaType, readBody, tooLarge } from './body.js';
import type { Bag } from './collected-parameters.js';
import { type Form, multipartLimit, type Part, type Reading, readMultipart } from './multipart.js';

/**
 * Throws `malformed`, `too_large`, `invalid`, `storage_full`, and what `reading` throws.
 * @param query the parameters of the query: those of the body are added to it
 */
export async function gather(req: IncomingMessage, query: Bag, reading: Reading): Promise<Form> {
  // Else it would be waited for until the connection times out.
  if (req.readableEnded) throw new Error('Something in front of the dispatcher has read the body.');
  const form: Form =
    mediaType(req) === 'multipart/form-data'
      ? await readMultipart(req, reading)
      : { parameters: await readBody(req, reading.hold), received: null, dropped: [] };
  // Object.assign would be as safe: neither has a prototype with setters.
  return { ...form, parameters: Object.assign(query, form.parameters) };
}

/** What the head already shows: throws `too_large`, and `malformed` for an encoded body. */
export function checkHead(req: IncomingMessage, part: Part | null): void {
  checkEncoding(req);
  const most = mediaType(req) === 'multipart/form-data' ? multipartLimit(part) : MAX_BODY;
  if (declaredLength(req) > most) throw tooLarge(most);
}

/** The session that the parameters or else the Authorization header name (D11); null without. Throws `invalid`. */
export function sessionOf(bag: Bag, authorization: string | undefined): string | null {
  const given = bag.session_id;
  if (typeof given === 'string' && given !== '') return given;
  if (given !== undefined && given !== null && given !== '') throw badSession();
  if (authorization === undefined) return null;
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}

function badSession(): ServiceError {
  const message = 'session_id must be a single text.';
  return new ServiceError('invalid', message, [{ field: 'session_id', code: 'invalid', message }]);
}
