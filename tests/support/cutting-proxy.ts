// A proxy between a client and a server that cuts every connection at a random point: within a request, between a request and
// its response, or within a response.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Chance } from './chance.js';

export interface CuttingProxy {
  /** `http://127.0.0.1:port`. */
  readonly address: string;
  /** Connections cut so far. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** The most bytes in one direction before a connection is cut: a few requests, or a few responses. */
const [MOST_SENT, MOST_ANSWERED] = [1200, 2400];

/** @param target address of the server */
export async function startCuttingProxy(target: string, chance: Chance): Promise<CuttingProxy> {
  const { hostname: host, port } = new URL(target);
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    const isInRequest = chance.happens(0.5);
    const end = (): void => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    const relay = (from: Socket, to: Socket, bytes: number): void => {
      let remaining = bytes;
      open.add(from);
      from.on('data', (chunk: Buffer) => {
        if (from.destroyed || to.destroyed) return;
        if (chunk.length < remaining) {
          remaining -= chunk.length;
          to.write(chunk);
          return;
        }
        cuts++;
        // Bytes under way arrive before the connection ends.
        to.end(chunk.subarray(0, remaining), end);
      });
      from.on('error', end).on('close', () => {
        open.delete(from);
        end();
      });
    };
    relay(client, upstream, isInRequest ? chance.below(MOST_SENT) : Number.POSITIVE_INFINITY);
    relay(upstream, client, isInRequest ? Number.POSITIVE_INFINITY : chance.below(MOST_ANSWERED));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
