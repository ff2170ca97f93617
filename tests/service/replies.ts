// The contents of an answer of the plain profile, as one comparable value. Nothing about requests.

import { errors, plainBody } from '../document/errors.js';
import type { Reply } from '../support/client.js';

/** `field: code` of every failure in order of the fields' names, or only the code if no field is to blame. */
export function refusal({ status, headers, body }: Reply): readonly string[] {
  const { code, errors: failures } = body as {
    code: keyof typeof errors;
    errors: readonly { field: string; code: string; message: string }[];
  };
  const wrong = [
    ...(errors[code]?.plain === status ? [] : [`status ${status} for ${code}`]),
    ...(body.status === status ? [] : ['the body tells another status']),
    ...(headers.get('content-type') === plainBody.contentType ? [] : ['no problem+json']),
    ...plainBody.keys.filter((key) => body[key] === undefined).map((key) => `no ${key}`),
    ...failures.flatMap((failure) => plainBody.entry.filter((key) => typeof failure[key] !== 'string')),
  ];
  if (wrong.length > 0) return wrong;
  return failures.length === 0 ? [code] : failures.map((failure) => `${failure.field}: ${failure.code}`).sort();
}

/** The names in Ignored-Parameters, sorted (D19). */
export function ignored({ headers }: Reply): readonly string[] {
  return (headers.get('ignored-parameters') ?? '').split(', ').filter(Boolean).sort();
}
