// The only place where the module opens a socket: literal addresses and looked-up ones pass the guard first.

import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { type Guard, isLiteral } from './address.js';
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
  /** Milliseconds that a connection may take to come about, name and TLS included. */
  readonly limit: number;
  /** Certificates to trust instead of the system's, PEM. */
  readonly authorities?: string;
}

/** Milliseconds for one of several addresses of a name; node's own 250 are too few for far receivers. */
const ADDRESS_TIMEOUT = 1_000;
/** Bytes that the parser of answers is handed at once. */
const BITE = 512;

/** Makes connections for the pool. Each is checked anew: there is no cache of names, addresses or TLS sessions. */
export function createDialler(options: DialOptions): Dialler {
  const dialling = new Set<Socket>();
  return {
    dial: (target, callback) => {
      // Sockets do not look up literals, so the guard would not be asked (measured).
      if (isLiteral(target.hostname) && !options.guard.allows(target.hostname)) {
        process.nextTick(callback, new Fault('blocked'), null);
        return;
      }
      watch(open(target, options), target.protocol === 'https:', { limit: options.limit, dialling, callback });
    },
    close: () => {
      for (const socket of dialling) socket.destroy(new Fault('internal'));
    },
  };
}

function open(target: buildConnector.Options, options: DialOptions): Socket {
  const secure = target.protocol === 'https:';
  const place = {
    host: target.hostname,
    port: Number(target.port === '' ? (secure ? 443 : 80) : target.port),
    lookup: options.lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT,
    noDelay: true,
  };
  if (!secure) return connectTcp(place);
  return connectTls({
    ...place,
    // No SNI for literals; the certificate is checked against `host` then.
    ...(isLiteral(target.hostname) ? {} : { servername: target.hostname }),
    ...(options.authorities === undefined ? {} : { ca: options.authorities }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
  });
}

interface Watch {
  readonly limit: number;
  readonly dialling: Set<Socket>;
  readonly callback: buildConnector.Callback;
}

/** Calls back once: with the socket when it can carry HTTP, or with the Fault of the phase that failed. */
function watch(socket: Socket, secure: boolean, { limit, dialling, callback }: Watch): void {
  let phase: 'connect' | 'tls' = 'connect';
  const timer = setTimeout(() => socket.destroy(new Fault('timeout')), limit);
  dialling.add(socket);
  /** False after the first time. */
  const settle = (): boolean => {
    clearTimeout(timer);
    return dialling.delete(socket);
  };
  // Stays on the socket: a second error of a failed handshake must not end the process.
  socket.on('error', (error) => {
    if (settle()) callback(dialFault(error, phase), null);
  });
  if (secure) {
    socket.once('connect', () => {
      phase = 'tls';
    });
  }
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    if (settle()) callback(null, inBites(socket));
  });
}

/**
 * Past the limit of a head undici reads on to the end of what it was handed and makes an error of every header in it:
 * a flood of short headers took 70 ms of processor an attempt (measured), and in bites 10.
 */
function inBites(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    if (socket.destroyed) return null;
    return size === undefined && socket.readableLength > BITE ? read(BITE) : read(size);
  };
  return socket;
}
