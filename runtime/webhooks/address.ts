// Which internet addresses a callback may go to: public ones and those the operator allows. No names, no sockets here.

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = readonly [Address, number];

export interface Guard {
  /** @param address an IP address as DNS or a URL's host writes it, without brackets; anything else is not allowed */
  allows(address: string): boolean;
}

/** Addresses that no range gives away and that are not public all the same. */
const DENIED: readonly Cidr[] = [
  // Azure: DHCP, DNS and the machine's own configuration.
  ipaddr.parseCIDR('168.63.129.16/32'),
];
/** All that is handed out of IPv6; outside of it lie mapped, translated and `::a.b.c.d` forms of IPv4. */
const GLOBAL_IPV6: Cidr = ipaddr.parseCIDR('2000::/3');

/**
 * The guard of outbound connections (S41).
 * @param allowCidrs ranges that are allowed beside the public ones, such as `127.0.0.0/8` or `fd00::/8`
 * @throws Error naming the text that is no range: an operator's mistake
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
  // Names are told by their letters first: the library throws and catches an error for each.
  return host.includes(':') ? ipaddr.IPv6.isValid(host) : DIGITS.test(host) && ipaddr.IPv4.isValidFourPartDecimal(host);
}

/** An IPv4 address inside IPv6 (`::ffff:a.b.c.d`) is judged as what it reaches; a zone (`%eth0`) is never public. */
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
  if (!ipaddr.isValidCIDR(trimmed)) throw new Error(`'${text}' is no address range such as 10.0.0.0/8 or fd00::/8.`);
  return ipaddr.parseCIDR(trimmed);
}
