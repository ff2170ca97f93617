// The cookies of a site: a session that scripts cannot read and other sites cannot send, with a token that only pages of that
// session hold (CSRF), and choices that the browser keeps.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { SavedChoice, Site } from './page.js';

/** Null: none was sent. */
export function sessionIn(req: Request, { cookie }: Pick<Site, 'cookie'>): string | null {
  return cookiesOf(req).find(([name]) => name === cookie)?.[1] ?? null;
}

function cookiesOf({ headers }: Request): readonly (readonly string[])[] {
  return (headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
}

/** The choices that the browser has kept, by name. */
export function savedChoices(req: Request, { cookie }: Pick<Site, 'cookie'>): Readonly<Record<string, string>> {
  const prefix = `${cookie}.`;
  const saved = cookiesOf(req).filter(([name = '']) => name.startsWith(prefix));
  return Object.fromEntries(saved.map(([name = '', value = '']) => [name.slice(prefix.length), value]));
}

const YEAR = 365 * 24 * 60 * 60;

export function sendChoice({ cookie, base }: Site, { req, res }: HttpExchange, { name, value }: SavedChoice): void {
  const attributes = [`Path=${base}`, 'HttpOnly', 'SameSite=Strict', `Max-Age=${YEAR}`];
  if (isEncrypted(req)) attributes.push('Secure');
  res.append('Set-Cookie', [`${cookie}.${name}=${value}`, ...attributes].join('; '));
}

/** @param session null: the browser forgets it */
export function sendSession({ cookie, base }: Site, { req, res }: HttpExchange, session: string | null): void {
  const parts = [`${cookie}=${session ?? ''}`, `Path=${base}`, 'HttpOnly', 'SameSite=Strict'];
  if (isEncrypted(req)) parts.push('Secure');
  if (session === null) parts.push('Max-Age=0');
  res.setHeader('Set-Cookie', parts.join('; '));
}

export interface HttpExchange {
  readonly req: Request;
  readonly res: Response;
}

/**
 * Whether the browser's own connection is encrypted, even if a proxy that terminates TLS is not trusted to report addresses:
 * the pages' forms name their origin. A client that pretends so only keeps its own browser from sending the cookie.
 */
function isEncrypted({ secure, headers }: Request): boolean {
  return secure || headers.origin?.startsWith('https://') === true || headers['x-forwarded-proto'] === 'https';
}

/** The token that every form of a session sends. */
export function tokenOf(session: string): string {
  return createHash('sha256').update(`forms of ${session}`).digest('base64url');
}

export function isTokenOf(session: string, sent: unknown): boolean {
  const [one, other] = [Buffer.from(tokenOf(session)), Buffer.from(typeof sent === 'string' ? sent : '')];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether a page of another site sent the form; browsers say so, and a client that says nothing is not a browser. */
export function isCrossOrigin({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  return origin !== undefined && origin.replace(/^https?:\/\//, '') !== headers.host;
}
