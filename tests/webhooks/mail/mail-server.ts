// A mail server on loopback that takes mails, refuses them, or falls silent.

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  readonly taken: readonly TakenMail[];
  /** The SMTP code that refuses the next mails once their bytes have arrived; null accepts them. */
  refuse: number | null;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const state = { refuse: null as number | null };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      stream.on('end', () => {
        if (state.refuse !== null) {
          done(Object.assign(new Error('refused'), { responseCode: state.refuse }));
          return;
        }
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return Object.assign(state, {
    url: urlOf(server.server as Server),
    taken,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

/** Takes connections and says nothing. */
export async function startSilentServer(): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: urlOf(server),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function urlOf(server: Server): string {
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
