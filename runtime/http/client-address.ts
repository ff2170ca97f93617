// The address of a client, as far as the proxies in front are trusted to tell it.
import type { IncomingMessage } from 'node:http';

/**
 * Empty if the client has gone.
 * @param proxies how many in front are trusted: each adds to X-Forwarded-For the address that it was called from
 */
export function clientAddress({ socket, headers }: IncomingMessage, proxies: number): string {
  const direct = socket.remoteAddress ?? '';
  if (proxies === 0) return direct;
  const told = String(headers['x-forwarded-for'] ?? '').split(',');
  const nearest = told
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .reverse();
  return [direct, ...nearest][Math.min(proxies, nearest.length)] ?? direct;
}
