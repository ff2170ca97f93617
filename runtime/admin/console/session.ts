// Who is at the operators' pages: a session of the service in a cookie that scripts cannot read and other sites cannot send,
// and a token that only pages of that session hold (CSRF).

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Kept } from './page.js';

const COOKIE = 'punchboard_console';

/** Null: none was sent. */
export function sessionIn(req: Request): string | null {
  return cookiesOf(req).find(([name]) => name === COOKIE)?.[1] ?? null;
}

function cookiesOf({ headers }: Request): readonly (readonly string[])[] {
  return (headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
}

const KEPT = `${COOKIE}.`;

/** What the browser keeps for the operator, by name. */
export function keptIn(req: Request): Readonly<Record<string, string>> {
  const own = cookiesOf(req).filter(([name = '']) => name.startsWith(KEPT));
  return Object.fromEntries(own.map(([name = '', value = '']) => [name.slice(KEPT.length), value]));
}

const YEAR = 365 * 24 * 60 * 60;

export function sendKept(req: Request, res: Response, { name, value }: Kept): void {
  const attributes = ['Path=/console', 'HttpOnly', 'SameSite=Strict', `Max-Age=${YEAR}`];
  res.append(
    'Set-Cookie',
    [`${KEPT}${name}=${value}`, ...attributes, ...(isEncrypted(req) ? ['Secure'] : [])].join('; '),
  );
}

/** @param session null: the browser forgets it */
export function sendSession(req: Request, res: Response, session: string | null): void {
  const parts = [`${COOKIE}=${session ?? ''}`, 'Path=/console', 'HttpOnly', 'SameSite=Strict'];
  if (isEncrypted(req)) parts.push('Secure');
  if (session === null) parts.push('Max-Age=0');
  res.setHeader('Set-Cookie', parts.join('; '));
}

/**
 * Whether the browser's own connection is encrypted, also where a proxy that ends TLS is not trusted about addresses: the
 * pages' forms name their origin. A client that pretends so only keeps its own browser from sending the cookie.
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

/** Whether a page of another site sent the form; browsers say so, and a client that says nothing is no browser. */
export function isFromElsewhere({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  return origin !== undefined && origin.replace(/^https?:\/\//, '') !== headers.host;
}
