// Response headers: the security headers of responses, lists of names, request ids.

import type { ServerResponse } from 'node:http';

/** Names and values in turn, as writeHead takes them. */
export type FlatHeaders = readonly string[];

/** Sets them for a response that somebody else writes. */
export function setHeaders(res: ServerResponse, headers: FlatHeaders): void {
  for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

/** A text that is opened like a page runs no script, loads nothing, and is not framed to trick its reader. */
const NOT_A_PAGE: FlatHeaders = ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"];
/** Anyone who has a file's address may show it on their own page (D25), isolated pages included. */
const SHOWN_ANYWHERE: FlatHeaders = ['Cross-Origin-Resource-Policy', 'cross-origin'];
/** A file's address is its key: links in a drawing or document do not pass it on. */
const KEPT_ADDRESS: FlatHeaders = ['Referrer-Policy', 'no-referrer'];
/** Later requests, with their sessions, are not sent unencrypted, whatever a link or a network says. */
const ENCRYPTED: FlatHeaders = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'];
/** Values that callers have chosen are not taken for HTML or a script. */
const OF_ITS_TYPE: FlatHeaders = ['X-Content-Type-Options', 'nosniff'];

/**
 * What JSON needs; a test compares it with helmet. It is read by programs and has no links, so that nothing embeds it or is
 * reached from it; `frame-ancestors` says what X-Frame-Options would.
 */
export const JSON_SECURITY: FlatHeaders = [...NOT_A_PAGE, ...ENCRYPTED, ...OF_ITS_TYPE];
/** What files and all other responses have. */
export const FILE_SECURITY: FlatHeaders = [
  ...NOT_A_PAGE,
  ...SHOWN_ANYWHERE,
  ...KEPT_ADDRESS,
  ...ENCRYPTED,
  ...OF_ITS_TYPE,
];

const MAX_NAME = 64;
const MAX_LIST = 1024;

/** Parameter names for a header (D19): printable ASCII without commas; each name and the whole list are truncated. */
export function nameList(names: readonly string[]): string {
  let list = '';
  for (const name of names) {
    const safe = name.slice(0, MAX_NAME).replace(/[^\x21-\x7e]|,/g, '?');
    if (safe === '') continue;
    if (list.length + safe.length + 2 > MAX_LIST) return `${list}, ...`;
    list += list === '' ? safe : `, ${safe}`;
  }
  return list;
}

/** A client's request id if it is fit for logs and headers, else null. */
export function requestIdFrom(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w.:~+/=-]{1,128}$/.test(header) ? header : null;
}
