// A name server on loopback that answers as a test says, so that the real resolver asks real questions.

import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';

/** Answers of one name: addresses, or a response code of DNS, or silence. */
export type Answer = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence';

export interface DnsStub {
  /** Node's resolver, with this server as its only one. */
  readonly resolver: Resolver;
  /** Questions so far: `A name`, `AAAA name`. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

const CODES: Readonly<Record<string, number>> = { SERVFAIL: 2, NXDOMAIN: 3 };
const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

/** @param zone names to answers; other names do not exist */
export async function startDns(zone: Readonly<Record<string, Answer>>): Promise<DnsStub> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { name, type, end } = question(message);
    questions.push(`${TYPES[type] ?? type} ${name}`);
    const answer = zone[name] ?? 'NXDOMAIN';
    if (answer !== 'silence') socket.send(reply(message.subarray(0, end), type, answer), from.port, from.address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  const resolver = new Resolver({ timeout: 100, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { resolver, questions, close: () => new Promise((done) => socket.close(() => done())) };
}

/** A resolver whose name server does not listen, so that the system refuses its queries. */
export async function deadDns(): Promise<Resolver> {
  const { resolver, close } = await startDns({});
  await close();
  return resolver;
}

function question(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function reply(request: Buffer, type: number, answer: Exclude<Answer, 'silence'>): Buffer {
  const records = typeof answer === 'string' ? [] : answer.filter((text) => text.includes(':') === (type === 28));
  const head = Buffer.from(request);
  // Response, recursion desired and available, with the code.
  head.writeUInt16BE(0x8180 | (typeof answer === 'string' ? (CODES[answer] ?? 0) : 0), 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records.map((address) => record(type, address))]);
}

function record(type: number, address: string): Buffer {
  const data = type === 28 ? v6(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  // The name is that of the question, at byte 12.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Written in full or with one `::`. */
function v6(address: string): Buffer {
  const [before = [], after = []] = address.split('::').map((side) => side.split(':').filter((part) => part !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const data = Buffer.alloc(16);
  for (const [place, part] of [...before, ...zeros, ...after].entries()) {
    data.writeUInt16BE(Number.parseInt(part, 16), place * 2);
  }
  return data;
}
