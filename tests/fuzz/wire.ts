// One connection to the server under fuzz: sends raw bytes and reads the responses, without checking them.

import net from 'node:net';

export interface Sendable {
  readonly bytes: Buffer;
  /** Number of responses to wait for; 0: the bytes are not a complete request, so the connection is ended after them. */
  readonly answers: number;
  /** True if responses have no body, as to HEAD. */
  readonly bodiless: boolean;
  /** The request, if the bytes are exactly one. */
  readonly asked?: WireRequest;
}

export interface WireRequest {
  /** The intended method of a tunnelled request (D12). */
  readonly method: string;
  readonly path: string;
}

export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export interface Line {
  /** Resolves with the responses that arrived, even if the connection ended early. */
  exchange(request: Sendable): Promise<readonly Reply[]>;
  close(): void;
}

/** Milliseconds without a byte after which a response counts as missing. */
const PATIENCE = 20_000;

export function createLine(port: number): Line {
  let kept: net.Socket | null = null;
  const open = (): net.Socket => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    socket.setTimeout(PATIENCE, () => socket.destroy());
    socket.on('error', () => undefined);
    return socket;
  };
  return {
    async exchange(request) {
      // A server closes long idle connections; nothing else would end the wait.
      if (kept?.destroyed === true) kept = null;
      const socket = kept !== null && request.answers > 0 ? kept : open();
      if (socket === kept) kept = null;
      const replies = await converse(socket, request);
      const reusable =
        replies.length === request.answers && replies.every(({ head }) => !/connection: close/i.test(head));
      if (request.answers > 0 && reusable && !socket.destroyed && kept === null) kept = socket;
      else socket.destroy();
      return replies;
    },
    close() {
      kept?.destroy();
      kept = null;
    },
  };
}

function converse(socket: net.Socket, { bytes, answers, bodiless }: Sendable): Promise<readonly Reply[]> {
  return new Promise((resolve) => {
    const replies: Reply[] = [];
    let unread: Buffer = Buffer.alloc(0);
    /** Bytes that have arrived since, and how many more a response needs at least to be complete. */
    let chunks: Buffer[] = [];
    let missing = 0;
    const done = (): void => {
      socket.off('data', take).off('close', done);
      resolve(replies);
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      missing -= chunk.length;
      if (missing > 0) return;
      unread = Buffer.concat([unread, ...chunks]);
      chunks = [];
      let response = first(unread, bodiless);
      for (; response.reply !== null; response = first(unread, bodiless)) {
        unread = unread.subarray(response.length);
        // A 1xx response only precedes the final one.
        if (response.reply.status >= 200) replies.push(response.reply);
      }
      missing = response.length - unread.length;
      if (answers > 0 && replies.length >= answers) done();
    };
    socket.on('data', take).on('close', done);
    if (answers > 0) socket.write(bytes);
    else socket.end(bytes);
  });
}

interface FirstResponse {
  /** Null if it is incomplete. */
  readonly reply: Reply | null;
  /** Its length; more than there is, if that is not known yet. */
  readonly length: number;
}

function first(bytes: Buffer, bodiless: boolean): FirstResponse {
  const unknown = { reply: null, length: bytes.length + 1 };
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return unknown;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  const start = end + 4;
  const size = bodiless || status < 200 || status === 204 || status === 304 ? 0 : bodySize(head, bytes, start);
  if (size === null) return unknown;
  const length = start + size;
  if (bytes.length < length) return { reply: null, length };
  return { reply: { status, head, body: bytes.toString('utf8', start, length) }, length };
}

function bodySize(head: string, bytes: Buffer, start: number): number | null {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  const end = bytes.indexOf('0\r\n\r\n', start);
  return end < 0 ? null : end + 5 - start;
}
