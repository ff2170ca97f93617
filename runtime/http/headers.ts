// Response headers computed in advance: the security headers, once at start, and lists of names.
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Names and values in turn, as writeHead takes them. */
export type FlatHeaders = readonly string[];

/**
 * The headers that helmet sets on responses that are data and never a page; captured once, so that no request pays for it.
 * Anyone who has a file's address may show it on their own page (D25), hence the cross-origin policy.
 */
export function securityHeaders(): FlatHeaders {
  const headers: string[] = [];
  const stub = {
    setHeader: (name: string, value: string) => headers.push(name, value),
    removeHeader: () => undefined,
  };
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    frameguard: { action: 'deny' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
  set({} as IncomingMessage, stub as unknown as ServerResponse, () => undefined);
  return headers;
}

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
