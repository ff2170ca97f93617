// Response headers: the security headers of every response, lists of names, request ids.

/** Names and values in turn, as writeHead takes them. */
export type FlatHeaders = readonly string[];

/**
 * What every response has, because it is data and never a page; a test compares this with helmet. Anyone who has a
 * file's address may show it on their own page (D25), hence the cross-origin policy.
 */
export const SECURITY_HEADERS: FlatHeaders = [
  ...['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ...['Cross-Origin-Resource-Policy', 'cross-origin'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
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
