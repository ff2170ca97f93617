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
  { broken: ({ url }) => url !== null && BAD_PORTS.has(url.port), problem: 'must not use a port of another protocol.' },
  {
    broken: ({ host, guard }) =>
      (isLiteral(host) && !guard.allows(host)) || (isLocalName(host) && !localAllowed(guard)),
    problem: 'must not lead to a private address unless the server is started with --webhook-allow-cidrs.',
  },
];

/** The ports that browsers refuse: https://fetch.spec.whatwg.org/#port-blocking. What listens there is not HTTP. */
const BAD_PORTS: ReadonlySet<string> = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
   137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
   1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

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
