// Which callback addresses are accepted, and which internet addresses they may lead to: public ones and those that the
// operator allows. No DNS and no sockets: names are checked when a connection is opened.

import ipaddr from 'ipaddr.js';

/** The maximum number of characters in a callback address. */
const URI_MAX = 2000;

/**
 * What is wrong with a callback address (S20: checked at create, at update and before each attempt).
 * @returns a sentence for the client programmer; null: nothing, as far as can be decided without DNS
 */
export function checkUri(uri: string, guard: Guard): string | null {
  const url = uri.length > URI_MAX ? null : parsed(uri);
  const subject = { uri, url, host: url === null ? '' : hostOf(url), guard };
  const rule = RULES.find(({ broken }) => broken(subject));
  return rule === undefined ? null : `callback_uri ${rule.problem}`;
}

/** The host as sockets take it: URL parsing normalizes every spelling of an IPv4 address, and puts IPv6 in brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Names that mean this machine, even if DNS says otherwise (RFC 6761). */
export function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

/** Where a local name leads. */
export const LOCAL_ADDRESSES = ['127.0.0.1', '::1'] as const;

interface CheckedAddress {
  readonly uri: string;
  readonly url: URL | null;
  readonly host: string;
  readonly guard: Guard;
}

/** The first match wins; rules after `must be a valid URL` can rely on `url`. */
const RULES: readonly { readonly broken: (subject: CheckedAddress) => boolean; readonly problem: string }[] = [
  { broken: ({ uri }) => uri.length > URI_MAX, problem: `must have at most ${URI_MAX} characters.` },
  { broken: ({ uri }) => !/^https?:\/\//i.test(uri), problem: 'must start with http:// or https://.' },
  // Characters that URL parsers drop, replace or skip in different ways: spaces, control characters, \\, an empty host.
  { broken: ({ uri, url }) => url === null || UNSAFE.test(uri), problem: 'must be a valid URL.' },
  { broken: ({ uri }) => hasCredentials(uri), problem: 'must not contain a user name or password.' },
  { broken: ({ url }) => url !== null && BAD_PORTS.has(url.port), problem: 'must not use a port of another protocol.' },
  {
    broken: ({ host, guard }) =>
      (isLiteral(host) && !guard.allows(host)) || (isLocalName(host) && !localAllowed(guard)),
    problem: 'must not lead to a private address unless the server is started with --webhook-allow-cidrs.',
  },
];

/** The ports that browsers refuse: https://fetch.spec.whatwg.org/#port-blocking. The services on them do not speak HTTP. */
const BAD_PORTS: ReadonlySet<string> = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
   137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
   1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

const UNSAFE = /[^!-~]|\\|^https?:\/\/[/?#]/i;

function parsed(uri: string): URL | null {
  return URL.canParse(uri) ? new URL(uri) : null;
}

/** This includes `http://@host/`, where the URL standard sees none but other parsers see an empty user name. */
function hasCredentials(uri: string): boolean {
  return /^https?:\/\/[^/?#]*@/i.test(uri);
}

function localAllowed(guard: Guard): boolean {
  return LOCAL_ADDRESSES.some((address) => guard.allows(address));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = readonly [Address, number];

export interface Guard {
  /** @param address an IP address as in DNS or the host of a URL, without brackets; anything else is not allowed */
  allows(address: string): boolean;
}

/** Addresses that look public by their range and are not. */
const DENIED: readonly Cidr[] = [
  // Azure: DHCP, DNS and the configuration of the virtual machine.
  ipaddr.parseCIDR('168.63.129.16/32'),
];
/** The assigned part of IPv6; mapped, translated and `::a.b.c.d` forms of IPv4 are outside of it. */
const GLOBAL_IPV6: Cidr = ipaddr.parseCIDR('2000::/3');

/**
 * The guard of outbound connections (S41).
 * @param allowCidrs ranges that are allowed besides the public ones, such as `127.0.0.0/8` or `fd00::/8`
 * @throws Error that names the text that is not a range: an operator's mistake
 */
export function createGuard(allowCidrs: readonly string[]): Guard {
  const allowed = allowCidrs.map(cidrOf);
  return {
    allows: (text) => {
      const address = addressOf(text);
      if (address === null) return false;
      return allowed.some((cidr) => within(address, cidr)) || isPublic(address);
    },
  };
}

/** Whether a host is an IP address in the one spelling that sockets take without asking DNS. */
export function isLiteral(host: string): boolean {
  // Names are recognized by their letters first: for each name the library would throw and catch an error.
  return host.includes(':') ? ipaddr.IPv6.isValid(host) : DIGITS.test(host) && ipaddr.IPv4.isValidFourPartDecimal(host);
}

/** An IPv4 address inside IPv6 (`::ffff:a.b.c.d`) is checked as the IPv4 address; a zone (`%eth0`) is never public. */
function addressOf(text: string): Address | null {
  return isLiteral(text) && !text.includes('%') ? ipaddr.process(text) : null;
}

function isPublic(address: Address): boolean {
  if (address.range() !== UNICAST || DENIED.some((cidr) => within(address, cidr))) return false;
  return address.kind() === 'ipv4' || within(address, GLOBAL_IPV6);
}

const UNICAST = 'unicast';
const DIGITS = /^[0-9.]+$/;

function within(address: Address, [network, bits]: Cidr): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function cidrOf(text: string): Cidr {
  const trimmed = text.trim();
  if (!ipaddr.isValidCIDR(trimmed))
    throw new Error(`'${text}' is not an address range such as 10.0.0.0/8 or fd00::/8.`);
  return ipaddr.parseCIDR(trimmed);
}
