// A gateway to a PostgreSQL server over TCP that can go silent: connections stay open but transfer nothing, as if the machine
// behind them had disappeared.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export interface Gateway {
  /** The URL of the database through the gateway. */
  readonly url: string;
  silence(): void;
  close(): Promise<void>;
}

/** @param url of a database on a unix socket */
export async function startGateway(url: string): Promise<Gateway> {
  const host = /@([^/]*)/.exec(url)?.[1] ?? '';
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    sockets.add(near.on('error', () => undefined));
    if (isSilent) return;
    const far = connect(join(decodeURIComponent(host), '.s.PGSQL.5432'));
    sockets.add(far.on('error', () => undefined));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url.replace(host, `127.0.0.1:${(server.address() as AddressInfo).port}`),
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}
