// A receiver for developers who try web hooks: it shows each callback that arrives at a port of this machine, verifies its
// signature, and gives the answers of its options. What it reads, keeps and waits for is bounded.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOfBody } from '../../rules/message.js';
import { type ReceivedCallback, refuseCallback, type SignatureFailure } from '../../rules/signature.js';

export interface ListenOptions {
  readonly port: number;
  /** Private keys and `whsec_…` secrets, one of which must have signed; if there are none, signatures are not checked. */
  readonly secrets: readonly string[];
  /** Statuses of the answers in turn; the last one repeats. */
  readonly answers: readonly number[];
  /** Milliseconds before each answer. */
  readonly delay: number;
  /** The number of callbacks after which it ends; null for no limit. */
  readonly count: number | null;
}

/** The parts of the process that `listen` uses. */
export interface ListenContext {
  write(text: string): unknown;
  now(): number;
  /** Ends `listen` before the count is reached. */
  readonly stop: AbortSignal;
}

export interface CallbackCounts {
  readonly callbacks: number;
  /** Callbacks whose signature a receiver should refuse. */
  readonly refused: number;
}

/** In bytes; the callbacks of the service are much shorter. */
const LONGEST_BODY = 1024 * 1024;
const MOST_CONNECTIONS = 100;
/** Milliseconds within which a request must arrive. */
const REQUEST_TIMEOUT = 30_000;
/** The most characters that are shown of a payload, and of any other text of a request. */
const SHOWN = { payload: 240, text: 100 } as const;

/** Resolves after the count is reached or `stop` aborts, once the callbacks that have arrived are answered. */
export async function listen(options: ListenOptions, context: ListenContext): Promise<CallbackCounts> {
  const { count, answers, delay, secrets } = options;
  const { write, now, stop } = context;
  const counts = { callbacks: 0, refused: 0 };
  const done = new AbortController();
  const answering = new Set<Promise<void>>();
  const answer = async (request: IncomingMessage, body: string, response: ServerResponse): Promise<void> => {
    const status = answers[Math.min(counts.callbacks, answers.length - 1)] ?? 200;
    counts.callbacks++;
    if (counts.callbacks === count) done.abort();
    const signature = checked({ headers: request.headers, body }, secrets, now());
    if (signature !== null && signature !== 'unchecked') counts.refused++;
    write(shown({ request, body, status, signature }, now()));
    await wait(delay, undefined, { signal: stop }).catch(() => undefined);
    await end(response, status);
  };
  const server = createServer((request, response) => {
    const begin = async (): Promise<void> => {
      const body = await bodyOf(request);
      if (body === null || request.method !== 'POST') return end(response, body === null ? 413 : 405);
      if (stop.aborted || done.signal.aborted) return void response.destroy();
      const answered = answer(request, body, response);
      answering.add(answered);
      await answered.finally(() => answering.delete(answered));
    };
    void begin().catch(() => response.destroy());
  });
  const port = await opened(server, options.port);
  write(`Waiting for callbacks at http://127.0.0.1:${port}, on any path. Ctrl-C ends it.\n`);
  await oneOf(stop, done.signal);
  await Promise.allSettled(answering);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return counts;
}

function checked(callback: ReceivedCallback, secrets: readonly string[], now: number): Callback['signature'] {
  return secrets.length === 0 ? 'unchecked' : refuseCallback(callback, secrets, { now });
}

function oneOf(...signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals]);
  return new Promise((resolve) => {
    if (any.aborted) resolve();
    else any.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function opened(server: Server, port: number): Promise<number> {
  server.maxConnections = MOST_CONNECTIONS;
  server.requestTimeout = server.headersTimeout = REQUEST_TIMEOUT;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve());
  });
  return (server.address() as AddressInfo).port;
}

/** @returns null for a body that is longer than any callback */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function end(response: ServerResponse, status: number): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve).writeHead(status, { connection: 'close' }).end();
  });
}

interface Callback {
  readonly request: IncomingMessage;
  readonly body: string;
  readonly status: number;
  readonly signature: SignatureFailure | 'unchecked' | null;
}

const SIGNATURES: Readonly<Record<SignatureFailure | 'unchecked', string>> = {
  unchecked: 'signature not checked',
  malformed: 'NOT SIGNED as the service signs',
  no_key: 'signature NOT CHECKED: the secret is for the other format',
  forged: 'signature WRONG',
  stale: 'signature valid, but MORE THAN 5 MINUTES from the time here',
};

/** Two lines: the callback with its answer, and the beginning of its payload. */
function shown({ request, body, status, signature }: Callback, now: number): string {
  const { type, event, id, payload } = messageFrom(body);
  const delivery = request.headers['delivery-id'] ?? '-';
  const parts = [
    `${new Date(now).toISOString().slice(11, 19)} POST ${clean(request.url ?? '/', SHOWN.text)}`,
    `${clean(event, SHOWN.text)} (${clean(type, SHOWN.text)})`,
    `web hook ${clean(id, SHOWN.text)}`,
    `delivery ${clean(String(delivery), SHOWN.text)}`,
    signature === null ? 'signature valid' : SIGNATURES[signature],
  ];
  return `${parts.join(', ')}: answered ${status}\n  ${clean(payload, SHOWN.payload)}\n`;
}

/** The message of a callback, in either format; any other body is shown as it arrived. */
function messageFrom(body: string) {
  try {
    const { type, event, id, payload } = messageOfBody(body);
    return { type: String(type), event: String(event), id: String(id), payload: JSON.stringify(payload) ?? '' };
  } catch {
    return { type: 'not a callback', event: '-', id: '-', payload: body };
  }
}

/** Shortens a text, and replaces characters that a terminal would take for commands. */
function clean(text: string, longest: number): string {
  const plain = text.slice(0, longest + 1).replace(/\p{C}/gu, '?');
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
