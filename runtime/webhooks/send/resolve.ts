// Resolves names by c-ares and guards the result: only what is allowed is returned, and only what is returned is dialled.

import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { SENDING } from '../../contract/defaults.js';
import { type Guard, isLocalName, LOCAL_ADDRESSES } from '../../rules/address.js';
import { dnsFault, Fault } from './faults.js';

/** All addresses of a name, IPv4 and IPv6; rejects with the error of DNS when there is none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The part of node's resolver that is used. */
export type Dns = Pick<Resolver, 'resolve4' | 'resolve6'>;

/** The most addresses of one name that are dialled; all are checked. */
const ADDRESSES_MAX = 8;

/** The machine's hosts file and name servers. Not `dns.lookup`: it shares its threads with password hashing and files. */
export function systemResolve(): Resolve {
  return createResolve(new Resolver({ timeout: SENDING.dns, tries: SENDING.dnsTries }), hostsFile());
}

/** Names that the machine's administrator defined; empty if there is no such file. */
function hostsFile(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8');
  } catch {
    return '';
  }
}

/**
 * First the hosts file, then DNS, as the machine itself would.
 * @param hosts text of the machine's hosts file, which c-ares does not read; may be empty
 */
export function createResolve(dns: Dns, hosts: string): Resolve {
  const entries = hostsOf(hosts);
  return async (name) => {
    const known = entries.get(name.toLowerCase().replace(/\.$/, ''));
    if (known !== undefined) return known;
    const [v4, v6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw failureOf([v4, v6]);
  };
}

/**
 * The look-up of sockets: every address of the name must be allowed, or none is returned. Supports both call forms of
 * node, `all: true` and a single address.
 */
export function createLookup(guard: Guard, resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    guarded(name, guard, resolve).then(
      (addresses) => {
        const entries = addresses.map((address) => ({ address, family: familyOf(address) }));
        const [first] = entries;
        if (options.all === true) callback(null, entries);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error instanceof Fault ? error : dnsFault(error), [], 0),
    );
  };
}

async function guarded(name: string, guard: Guard, resolve: Resolve): Promise<readonly string[]> {
  const local = isLocalName(name);
  const answer = local ? LOCAL_ADDRESSES.filter((address) => guard.allows(address)) : await resolve(name);
  // One private address rejects all of them: an answer that mixes both kinds is an attack or a mistake.
  if (!answer.every((address) => guard.allows(address)) || (local && answer.length === 0)) throw new Fault('blocked');
  if (answer.length === 0) throw new Fault('dns');
  return answer.slice(0, ADDRESSES_MAX);
}

/** The most relevant failure: our own before the receiver's, else the first. */
function failureOf(answers: readonly PromiseSettledResult<unknown>[]): Fault {
  const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [dnsFault(answer.reason)] : []));
  return faults.find(({ outcome }) => outcome === 'internal') ?? faults[0] ?? new Fault('dns');
}

function hostsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/)) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    for (const name of names) {
      const known = entries.get(name.toLowerCase()) ?? [];
      entries.set(name.toLowerCase(), [...known, address ?? '']);
    }
  }
  return entries;
}

function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}
