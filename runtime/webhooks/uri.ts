// Which callback addresses are accepted when a hook is written and before it is called. No DNS: names are judged at the dial.

import { type Guard, isLiteral } from './address.js';

/** Characters of a callback address at most. */
export const URI_MAX = 2000;

/**
 * What is wrong with a callback address (S20: asked at create, at update and before each attempt).
 * @returns a sentence for the client programmer; null: nothing is wrong as far as can be told without DNS
 */
export function checkUri(uri: string, guard: Guard): string | null {
  const url = uri.length > URI_MAX ? null : parsed(uri);
  const subject = { uri, url, host: url === null ? '' : hostOf(url), guard };
  const rule = RULES.find(({ broken }) => broken(subject));
  return rule === undefined ? null : `callback_uri ${rule.problem}`;
}

/** The host as sockets take it: WHATWG has brought every spelling of an IPv4 address to one, and IPv6 has brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Names that mean this machine whatever DNS says (RFC 6761). */
export function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

/** Where a local name leads. */
export const LOCAL_ADDRESSES = ['127.0.0.1', '::1'] as const;

interface Subject {
  readonly uri: string;
  readonly url: URL | null;
  readonly host: string;
  readonly guard: Guard;
}

/** First match wins; a rule below `must be a valid URL` can count on `url`. */
const RULES: readonly { readonly broken: (subject: Subject) => boolean; readonly problem: string }[] = [
  { broken: ({ uri }) => uri.length > URI_MAX, problem: `must have at most ${URI_MAX} characters.` },
  { broken: ({ uri }) => !/^https?:\/\//i.test(uri), problem: 'must start with http:// or https://.' },
  // What URL parsers drop, turn or pass over, each in its own way: spaces, control characters, \\, an empty host.
  { broken: ({ uri, url }) => url === null || UNSAFE.test(uri), problem: 'must be a valid URL.' },
  { broken: ({ uri }) => hasCredentials(uri), problem: 'must not contain a user name or password.' },
  { broken: ({ url }) => url?.port === '0', problem: 'must not use port 0.' },
  {
    broken: ({ host, guard }) =>
      (isLiteral(host) && !guard.allows(host)) || (isLocalName(host) && !localAllowed(guard)),
    problem: 'must not lead to a private address.',
  },
];

const UNSAFE = /[^!-~]|\\|^https?:\/\/[/?#]/i;

function parsed(uri: string): URL | null {
  return URL.canParse(uri) ? new URL(uri) : null;
}

/** Also `http://@host/`, which has none for WHATWG; other readers see an empty user name. */
function hasCredentials(uri: string): boolean {
  return /^https?:\/\/[^/?#]*@/i.test(uri);
}

function localAllowed(guard: Guard): boolean {
  return LOCAL_ADDRESSES.some((address) => guard.allows(address));
}
