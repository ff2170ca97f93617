// Sends one signed POST and returns how it ended, within one deadline and a bounded amount of memory.

import type { Dispatcher } from 'undici';
import { SENDING } from '../../contract/defaults.js';
import { checkUri, type Guard } from '../../rules/address.js';
import { ANSWER_BYTES, type Outcome, type Post, type Send } from '../../rules/delivery.js';
import type { AttemptConnection, Pool, PoolOptions } from './connections.js';
import { Fault, faultOutcome, isLost } from './faults.js';

export interface SenderOptions extends Omit<PoolOptions, 'limit'> {
  /** Milliseconds from the start of an attempt to the last byte of the head: DNS, connection and TLS included. */
  readonly deadline: number;
}

export interface Sender {
  readonly send: Send;
  /** Ends what is under way with the outcome `internal` (S19); afterwards every attempt is `internal`. */
  close(): Promise<void>;
}

/** Informational answers (1xx) before the final one. Each resets undici's own timeouts (measured). */
const INFORMATIONAL_MAX = 8;

/**
 * How many attempts run concurrently is up to the caller; sockets, memory and time of each are limited here.
 * Redirects are not followed (S16), nothing is decompressed, no proxy is used.
 */
export function createSender(options: SenderOptions): Sender {
  const { guard, deadline } = options;
  const isAccepted = createAddressCheck(guard);
  let pool: Pool | null = null;
  let closed = false;
  return {
    send: async (post) => {
      if (closed) return { class: 'internal' };
      if (!isAccepted(post.uri)) return { class: 'blocked' };
      pool ??= openPool(options);
      return attempt(pool, post, deadline);
    },
    close: async () => {
      closed = true;
      await pool?.close();
    },
  };
}

/** The HTTP client is loaded with the first attempt: it would take most of the time the server needs to start. */
function openPool(options: SenderOptions): Pool {
  const { createPool } = require('./connections.js') as typeof import('./connections.js');
  return createPool({ ...options, limit: options.deadline });
}

/** Addresses whose check is remembered. What a name resolves to is not part of it, and is checked at every dial. */
const CHECKED_MAX = 10_000;

function createAddressCheck(guard: Guard): (uri: string) => boolean {
  const checked = new Map<string, boolean>();
  return (uri) => {
    const known = checked.get(uri);
    if (known !== undefined) return known;
    if (checked.size >= CHECKED_MAX) checked.clear();
    const accepted = checkUri(uri, guard) === null;
    checked.set(uri, accepted);
    return accepted;
  };
}

/** One attempt; it sends a second POST only if the connection of an earlier attempt turns out to be dead. */
async function attempt(pool: Pool, post: Post, deadline: number): Promise<Outcome> {
  const url = new URL(post.uri);
  let connection = pool.take(url.origin);
  const timer = setTimeout(() => connection.end(new Fault('timeout')), deadline);
  const giveUp = (): void => connection.end(new Fault('internal'));
  post.giveUp?.addEventListener('abort', giveUp);
  try {
    for (;;) {
      try {
        return await exchange(connection, url, post);
      } catch (error) {
        connection.end();
        if (!connection.reused || !isLost(error)) return faultOutcome(error);
        connection = pool.open(url.origin);
      }
    }
  } finally {
    clearTimeout(timer);
    post.giveUp?.removeEventListener('abort', giveUp);
  }
}

/** The status of the complete head alone decides (S18): 200 is the only success (S16). */
async function exchange(connection: AttemptConnection, url: URL, post: Post): Promise<Outcome> {
  let informational = 0;
  const { statusCode, body } = await connection.client.request({
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...post.headers, 'delivery-id': post.delivery, 'user-agent': 'Punchboard' },
    body: post.body,
    onInfo: () => {
      informational += 1;
      if (informational > INFORMATIONAL_MAX) connection.end(new Fault('protocol'));
    },
  });
  const text = await beginning(body, connection);
  const answer = text === '' ? {} : { answer: text };
  return statusCode === 200 ? { class: 'success', ...answer } : { class: 'status', status: statusCode, ...answer };
}

/**
 * The first bytes of the body as text, for operators (D48). It never fails, and takes a second at most: the status has decided
 * already. A body that is short is read to its end, so that the connection can be used again; a longer or slower one costs the
 * connection.
 */
function beginning(body: Dispatcher.ResponseData['body'], connection: AttemptConnection): Promise<string> {
  const timer = setTimeout(() => connection.end(), SENDING.body).unref();
  const chunks: Buffer[] = [];
  let size = 0;
  let whole = false;
  return new Promise((resolve) => {
    const done = (): void => resolve(textOf(Buffer.concat(chunks).subarray(0, ANSWER_BYTES)));
    body
      .on('data', (chunk: Buffer) => {
        if (size < ANSWER_BYTES) chunks.push(chunk);
        size += chunk.length;
        if (size >= ANSWER_BYTES) done();
      })
      .on('error', () => undefined)
      .on('end', () => {
        whole = true;
        done();
        connection.release();
      })
      .on('close', () => {
        clearTimeout(timer);
        done();
        if (!whole) connection.end();
      });
  });
}

/** Characters that no database stores become U+FFFD, like bytes that are not UTF-8. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd');
}
