// Listeners on loopback that do with each connection what a test says, and count connections.

import { createServer as createTcp, type Server, type Socket } from 'node:net';
import { createServer as createTls, type TlsOptions } from 'node:tls';

/** What a receiver does with a new connection. Errors of the socket are ignored. */
export type Behaviour = (socket: Socket) => void;

export interface Receiver {
  readonly port: number;
  /** Connections since the start, whether or not a request came. */
  readonly connections: () => number;
  /** Bytes that open and past connections took from the receiver. */
  readonly sent: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  close(): Promise<void>;
}

/** @param tls makes it speak TLS with these options */
export async function startReceiver(behaviour: Behaviour, tls?: TlsOptions, host = '127.0.0.1'): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let sent = 0;
  const server = tls === undefined ? createTcp(behaviour) : createTls(tls, behaviour);
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sent += socket.bytesWritten;
        sockets.delete(socket);
      });
  });
  server.on('secureConnection', (socket) => socket.on('error', () => undefined));
  return {
    port: await listen(server, host),
    connections: () => connections,
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sent),
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

/** Answers each complete request with the text, which has a `content-length`. */
export function answering(answer: string | ((request: string, socket: Socket) => void)): Behaviour {
  return (socket) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const whole = complete(text);
      if (!whole) return;
      const request = text;
      text = '';
      if (typeof answer === 'string') socket.write(answer);
      else answer(request, socket);
    });
    socket.on('end', () => socket.end());
  };
}

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

function complete(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return head >= 0 && text.length >= head + 4 + length;
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, host, done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return address.port;
}
