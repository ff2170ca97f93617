// A subscriber's endpoint on loopback that keeps what it gets and answers as a test says.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  /** As it arrived. */
  readonly body: string;
  /** The Delivery-Id header. */
  readonly delivery: string;
  readonly epoch: string;
  readonly message: string;
  readonly hmac: string;
  /** The message as JSON. */
  readonly said: {
    readonly id: string;
    readonly owner_class: string;
    readonly owner_id: string;
    readonly event: string;
    readonly type: string;
    // biome-ignore lint/suspicious/noExplicitAny: the payload of any event
    readonly payload: any;
  };
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A status, immediately or later, or null to leave the request open. */
export type AnswerRule = (post: Received) => number | null | Promise<number>;

export interface HttpReceiver {
  /** `http://127.0.0.1:port`. */
  readonly address: string;
  readonly posts: readonly Received[];
  /** How the next callbacks are answered; 200 at first. */
  answer: AnswerRule;
  /** The body of answers. */
  says: string;
  /** Resolves with what `find` returns for the posts, once that is not undefined. */
  until<T>(find: (posts: readonly Received[]) => T | undefined): Promise<T>;
  close(): Promise<void>;
}

export async function startHttpReceiver(): Promise<HttpReceiver> {
  const posts: Received[] = [];
  const waiting = new Set<() => void>();
  const receiver = { answer: (() => 200) as AnswerRule, says: 'ok' };
  const server = createServer((request, response) => {
    void read(request).then((post) => {
      posts.push(post);
      reply(response, receiver.answer(post), receiver.says);
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(receiver, {
    address,
    posts,
    until: <T>(find: (all: readonly Received[]) => T | undefined) =>
      new Promise<T>((resolve) => {
        const check = (): void => {
          const result = find(posts);
          if (result === undefined) return;
          waiting.delete(check);
          resolve(result);
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** True when the signature is the document's: hex HMAC-SHA256 of `epoch.message` with the key. */
export function signedBy(key: string, { epoch, message, hmac }: Received): boolean {
  return createHmac('sha256', key).update(`${epoch}.${message}`).digest('hex') === hmac;
}

async function read(request: IncomingMessage): Promise<Received> {
  const at = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const form = new URLSearchParams(body);
  const field = (name: string): string => form.get(name) ?? '';
  const message = field('message');
  return {
    path: request.url ?? '',
    headers: request.headers as Record<string, string>,
    body,
    delivery: String(request.headers['delivery-id']),
    epoch: field('epoch'),
    message,
    hmac: field('hmac'),
    said: message === '' ? JSON.parse(body).data : JSON.parse(message),
    at,
  };
}

function reply(response: ServerResponse, status: ReturnType<AnswerRule>, says: string): void {
  if (status === null) return;
  if (typeof status !== 'number') {
    void status.then((later) => reply(response, later, says));
    return;
  }
  response.writeHead(status, { 'content-length': Buffer.byteLength(says) });
  response.end(says);
}
