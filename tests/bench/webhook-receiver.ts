// A process of its own that receives callbacks: it answers 200 immediately, or never under /hang, and reports arrivals to its
// parent.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of the parent: report when that many more have come, or what has come since the last time. */
export type Question = { readonly expect: number } | { readonly arrivals: true };
/** Names are sku_ids; times are epoch milliseconds with fractions. */
export type ReceiverMessage =
  | { readonly listening: string }
  | { readonly reached: number }
  | { readonly arrivals: readonly (readonly [name: string, at: number])[] };

let arrivals: (readonly [string, number])[] = [];
let taken = 0;
let expected = Number.POSITIVE_INFINITY;

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return;
    response.writeHead(200, { 'content-length': 0 }).end();
    const name = /sku_id%22%3A%22([^%]+)/.exec(Buffer.concat(chunks).toString('latin1'))?.[1];
    if (name === undefined) return;
    if (name !== 'uncounted') arrivals.push([`${request.url} ${name}`, at]);
    taken += 1;
    if (taken >= expected) tell({ reached: taken });
    if (taken >= expected) expected = Number.POSITIVE_INFINITY;
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => tell({ listening: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));

process.on('message', (question: Question) => {
  if ('expect' in question) {
    taken = 0;
    expected = question.expect;
    return;
  }
  tell({ arrivals });
  arrivals = [];
});

function tell(message: ReceiverMessage): void {
  process.send?.(message);
}
