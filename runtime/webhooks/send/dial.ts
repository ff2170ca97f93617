// Opens connections, the only place in the module that does: every address passes the guard first.

import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { SENDING } from '../../contract/defaults.js';
import { type Guard, isLiteral } from '../../rules/address.js';
import { dialFault, Fault } from './faults.js';

export interface Dialler {
  /** undici's `connect`; fails with a Fault. */
  readonly dial: buildConnector.connector;
  /** Ends every dial that is under way. */
  close(): void;
}

export interface DialOptions {
  readonly guard: Guard;
  readonly lookup: LookupFunction;
  /** Milliseconds that opening a connection may take, name and TLS included. */
  readonly limit: number;
  /** Certificates to trust instead of the system's, PEM. */
  readonly authorities?: string;
}

/** The most bytes that the parser of answers gets in one piece. */
const CHUNK = 512;

/** Opens connections for the pool. Each is checked: there is no cache of names, addresses or TLS sessions. */
export function createDialler(options: DialOptions): Dialler {
  const dialling = new Set<Socket>();
  return {
    dial: (target, callback) => {
      // Sockets do not look up literals, so the guard of the lookup would not see them (measured).
      if (isLiteral(target.hostname) && !options.guard.allows(target.hostname)) {
        process.nextTick(callback, new Fault('blocked'), null);
        return;
      }
      awaitHandshake(open(target, options), target.protocol === 'https:', { limit: options.limit, dialling, callback });
    },
    close: () => {
      for (const socket of dialling) socket.destroy(new Fault('internal'));
    },
  };
}

function open(target: buildConnector.Options, options: DialOptions): Socket {
  const secure = target.protocol === 'https:';
  const address = {
    host: target.hostname,
    port: Number(target.port === '' ? (secure ? 443 : 80) : target.port),
    lookup: options.lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: SENDING.address,
    noDelay: true,
  };
  if (!secure) return connectTcp(address);
  return connectTls({
    ...address,
    // No SNI for literals; the certificate is checked against `host` then.
    ...(isLiteral(target.hostname) ? {} : { servername: target.hostname }),
    ...(options.authorities === undefined ? {} : { ca: options.authorities }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
  });
}

interface Handshake {
  readonly limit: number;
  readonly dialling: Set<Socket>;
  readonly callback: buildConnector.Callback;
}

/** Calls back once: with the socket when it is ready for HTTP, or with the Fault of the phase that failed. */
function awaitHandshake(socket: Socket, secure: boolean, { limit, dialling, callback }: Handshake): void {
  let phase: 'connect' | 'tls' = 'connect';
  const timer = setTimeout(() => socket.destroy(new Fault('timeout')), limit);
  dialling.add(socket);
  /** False after the first time. */
  const finish = (): boolean => {
    clearTimeout(timer);
    return dialling.delete(socket);
  };
  // Stays on the socket: a second error of a failed handshake must not end the process.
  socket.on('error', (error) => {
    if (finish()) callback(dialFault(error, phase), null);
  });
  if (secure) {
    socket.once('connect', () => {
      phase = 'tls';
    });
  }
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    if (finish()) callback(null, readInChunks(socket));
  });
}

/**
 * Past the limit of a head undici parses the rest of the piece it was given and creates an error for every header in it:
 * a flood of short headers took 70 ms of CPU an attempt (measured), and takes 10 ms in chunks.
 */
function readInChunks(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    if (socket.destroyed) return null;
    return size === undefined && socket.readableLength > CHUNK ? read(CHUNK) : read(size);
  };
  return socket;
}
