// Receivers that do harm, each with the outcome an attempt must have. Rates are fast where only order matters.

import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { createGzip } from 'node:zlib';
import type { Outcome } from '../../../runtime/rules/delivery.js';
import { answering, type Behaviour, OK } from '../receiver.js';
import type { Certificates } from './certificates.js';

export interface Hostile {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly outcome: Outcome;
  readonly tls?: TlsOptions;
  /** The receiver never ends the attempt, so that it lasts until its deadline; tests set a short one. */
  readonly lasts?: true;
}

const SUCCESS: Outcome = { class: 'success' };
const PROTOCOL: Outcome = { class: 'protocol' };
const CONNECT: Outcome = { class: 'connect' };
const TLS: Outcome = { class: 'tls' };
const TIMEOUT: Outcome = { class: 'timeout' };

const MEGABYTE = Buffer.alloc(1 << 20, 'x');

/** Everything that does harm in plain HTTP. */
export const HOSTILE: readonly Hostile[] = [
  { name: 'Hang', behaviour: (socket) => socket.resume(), outcome: TIMEOUT, lasts: true },
  { name: 'HangWithoutReading', behaviour: (socket) => socket.pause(), outcome: TIMEOUT, lasts: true },
  { name: 'HeadByteByByte', behaviour: drip('HTTP/1.1 200 OK\r\nx-y: ', 'z'), outcome: TIMEOUT, lasts: true },
  { name: 'InformationalNowAndThen', behaviour: drip('', EARLY_HINTS()), outcome: TIMEOUT, lasts: true },
  { name: 'InformationalFlood', behaviour: endless('', EARLY_HINTS().repeat(1000)), outcome: PROTOCOL },
  { name: 'HeaderFlood', behaviour: endless('HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(1000)), outcome: PROTOCOL },
  { name: 'HeaderWithoutEnd', behaviour: endless('HTTP/1.1 200 OK\r\na: ', MEGABYTE), outcome: PROTOCOL },
  { name: 'Body50MB', behaviour: endless(head(200, 'content-length: 52428800'), MEGABYTE, 50), outcome: SUCCESS },
  { name: 'ErrorBody50MB', behaviour: endless(head(500), MEGABYTE, 50), outcome: { class: 'status', status: 500 } },
  { name: 'BodyWithoutEnd', behaviour: endless(head(200), MEGABYTE), outcome: SUCCESS },
  { name: 'BodyByteByByte', behaviour: drip(head(200), 'z'), outcome: SUCCESS },
  { name: 'BodyHangs', behaviour: answering(head(200, 'content-length: 10')), outcome: SUCCESS },
  { name: 'GzipBomb', behaviour: answering((_, socket) => gzipBomb(socket)), outcome: SUCCESS },
  { name: 'ResetAtOnce', behaviour: (socket) => socket.resetAndDestroy(), outcome: CONNECT },
  { name: 'ResetAfterRequest', behaviour: answering((_, socket) => socket.resetAndDestroy()), outcome: CONNECT },
  { name: 'EndWithoutAnswer', behaviour: answering((_, socket) => socket.end()), outcome: CONNECT },
  { name: 'HalfOpen', behaviour: (socket) => socket.resume().end(), outcome: CONNECT },
  { name: 'TruncatedHead', behaviour: ending('HTTP/1.1 200 OK\r\ncontent-le'), outcome: CONNECT },
  { name: 'TruncatedStatusLine', behaviour: ending('HTTP/1.1 20'), outcome: CONNECT },
  { name: 'TruncatedBody', behaviour: ending(head(200, 'content-length: 10')), outcome: SUCCESS },
  { name: 'BadChunks', behaviour: answering(`${head(200, 'transfer-encoding: chunked')}zz\r\n`), outcome: SUCCESS },
  { name: 'NotHttp', behaviour: ending('SSH-2.0-OpenSSH_9.2p1\r\n'), outcome: PROTOCOL },
  { name: 'Garbage', behaviour: ending('\x00\xff\x16\x03\x01'), outcome: PROTOCOL },
  {
    name: 'TwoLengths',
    behaviour: ending('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'),
    outcome: PROTOCOL,
  },
  {
    name: 'RedirectToItself',
    behaviour: answering(head(302, 'location: /again', 'content-length: 0')),
    outcome: { class: 'status', status: 302 },
  },
  {
    name: 'RedirectKeepingMethod',
    behaviour: answering(head(307, 'location: http://127.0.0.1:1/', 'content-length: 0')),
    outcome: { class: 'status', status: 307 },
  },
  {
    name: 'SwitchingProtocols',
    behaviour: answering(head(101, 'upgrade: x', 'connection: upgrade')),
    outcome: CONNECT,
  },
  { name: 'AnswerBeforeRequest', behaviour: endless(OK, OK, 3), outcome: SUCCESS },
];

/** Everything that does harm to TLS, and one receiver that does not. */
export function hostileTls({ good, expired, otherHost, selfSigned }: Certificates): readonly Hostile[] {
  const polite = answering(OK);
  return [
    { name: 'GoodTls', behaviour: polite, tls: good, outcome: SUCCESS },
    { name: 'SelfSigned', behaviour: polite, tls: selfSigned, outcome: TLS },
    { name: 'Expired', behaviour: polite, tls: expired, outcome: TLS },
    { name: 'OtherHost', behaviour: polite, tls: otherHost, outcome: TLS },
    { name: 'OldTls', behaviour: polite, tls: { ...good, ...OLD }, outcome: TLS },
    {
      name: 'WantsClientCertificate',
      behaviour: polite,
      tls: { ...good, maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: true },
      outcome: TLS,
    },
  ];
}

/** Harm done to a client that expects TLS, by receivers that do not speak it. */
export const NO_TLS: readonly Hostile[] = [
  { name: 'PlainHttp', behaviour: ending(OK), outcome: TLS },
  {
    name: 'ResetInHandshake',
    behaviour: (socket) => socket.once('data', () => socket.resetAndDestroy()),
    outcome: TLS,
  },
  { name: 'EndInHandshake', behaviour: (socket) => socket.once('data', () => socket.end()), outcome: TLS },
  { name: 'HangInHandshake', behaviour: (socket) => socket.resume(), outcome: TIMEOUT, lasts: true },
];

/** TLS 1.1, which needs the lowest security level of openssl. */
const OLD: TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };

function EARLY_HINTS(): string {
  return 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
}

function head(status: number, ...lines: readonly string[]): string {
  return `${[`HTTP/1.1 ${status} X`, ...lines].join('\r\n')}\r\n\r\n`;
}

/** Writes and closes, whatever is asked. */
function ending(text: string): Behaviour {
  return (socket) => socket.resume().end(text, 'latin1');
}

/** Writes the part again and again, as fast as it is taken. */
function endless(start: string, part: string | Buffer, times = Number.POSITIVE_INFINITY): Behaviour {
  return (socket) => {
    let written = 0;
    const more = (): void => {
      while (written < times && !socket.destroyed) {
        written += 1;
        if (!socket.write(part)) return;
      }
    };
    socket.resume().on('drain', more);
    if (start !== '') socket.write(start);
    more();
  };
}

/** Writes the part every now and then, so that no timeout between two bytes ever fires. */
function drip(start: string, part: string): Behaviour {
  return (socket) => {
    const timer = setInterval(() => socket.write(part), 30);
    socket.on('close', () => clearInterval(timer)).resume();
    if (start !== '') socket.write(start);
  };
}

/** 50 MB of the letter x, compressed. */
function gzipBomb(socket: Socket): void {
  socket.write(head(200, 'content-encoding: gzip', 'content-type: application/json'));
  const gzip = createGzip();
  gzip.pipe(socket);
  for (let part = 0; part < 50; part += 1) gzip.write(MEGABYTE);
  gzip.end();
}
