// Tokens: `<id of the record>.<random text>`, so that each is looked up by the id, on the shard that its first characters name
// (D37). Only a hash of the random text is stored.

import { hash } from 'node:crypto';

/** Ids have no full stop, and sessions have none; the random text has 160 bits. */
const SHAPE = /^([A-Za-z0-9][\w-]{1,63})\.([\w-]{27})$/;

export interface TokenParts {
  /** The id of the token's record. */
  readonly id: string;
  /** As it is stored. */
  readonly hash: string;
}

export function isToken(text: string): boolean {
  return SHAPE.test(text);
}

/** Null: the text is not a token. */
export function tokenParts(text: string): TokenParts | null {
  const [, id = '', secret = ''] = SHAPE.exec(text) ?? [];
  return id === '' ? null : { id, hash: hashOfToken(secret) };
}

export function hashOfToken(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The text of a record, a JSON object, with its new token at the end. @param secret the random text of the token */
export function withToken(text: string, name: string, { id, secret }: { id: string; secret: string }): string {
  return `${text.slice(0, text.lastIndexOf('}'))},${JSON.stringify(name)}:${JSON.stringify(`${id}.${secret}`)}}`;
}
