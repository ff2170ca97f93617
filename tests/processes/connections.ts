// Connections of a test to a service of several processes, each with a known process at its other end.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** The id of the process that serves it. */
  readonly pid: number;
  send(method: string, path: string, sent?: SentRequest): Promise<Received>;
  close(): void;
}

interface ServedRequest {
  readonly address: string;
  readonly process: { readonly pid?: number | undefined };
}

interface SentRequest {
  readonly session?: string;
  /** Idempotency-Key. */
  readonly key?: string;
  readonly ifMatch?: string;
  /** The cookie of the operators' pages. */
  readonly cookie?: string;
  readonly parameters?: object;
}

interface Received {
  readonly status: number;
  /** The ETag of a record. */
  readonly tag: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever shape the document gives the answer
  readonly body: any;
}

/** The processes that serve for the one with this id, as the kernel reports them. */
export function workerPids(writing: number): readonly number[] {
  const children = readFileSync(`/proc/${writing}/task/${writing}/children`, 'utf8').split(' ').filter(Boolean);
  const commands = children.map((pid) => [Number(pid), commandOf(pid)] as const);
  return commands.filter(([, command]) => command.includes('processes/start-worker.js')).map(([pid]) => pid);
}

/**
 * Opens a connection to each process that serves. The kernel would give all connections of an idle service to the same process,
 * so the processes that already have theirs are stopped meanwhile.
 */
export async function connectToEach(address: string, writing = process.pid): Promise<readonly Connection[]> {
  const pids = workerPids(writing);
  const connections: Connection[] = [];
  try {
    while (connections.length < pids.length) {
      const connection = await connect(address, pids);
      connections.push(connection);
      process.kill(connection.pid, 'SIGSTOP');
    }
  } finally {
    for (const { pid } of connections) process.kill(pid, 'SIGCONT');
  }
  return connections;
}

/** Opens a connection to each serving process of a server, which may have only one. */
export async function connectToAll({ address, process: { pid = 0 } }: ServedRequest): Promise<readonly Connection[]> {
  const isAlone = workerPids(pid).length === 0;
  return isAlone ? [await connect(address, [pid])] : connectToEach(address, pid);
}

/** Opens `many` connections to the process with this id, while the others are stopped. */
export async function connectTo(pid: number, address: string, many: number): Promise<readonly Connection[]> {
  const pids = workerPids(process.pid);
  const others = pids.filter((other) => other !== pid);
  for (const other of others) process.kill(other, 'SIGSTOP');
  try {
    return await Promise.all(Array.from({ length: many }, () => connect(address, pids)));
  } finally {
    for (const other of others) process.kill(other, 'SIGCONT');
  }
}

/** @param pids the processes that may accept it */
export async function connect(address: string, pids: readonly number[]): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await exchange(agent, address, 'GET', '/healthz');
  const pid = ownerOf(Number(new URL(address).port), first.socket.localPort ?? 0, pids);
  return {
    pid,
    async send(method, path, { session, key, cookie, ifMatch, parameters } = {}) {
      const headers = {
        ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
        ...(cookie === undefined ? {} : { cookie }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      };
      const { status, tag, text } = await exchange(agent, address, method, path, { headers, parameters });
      return { status, tag, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    close: () => agent.destroy(),
  };
}

interface ExchangedRequest {
  readonly status: number;
  readonly tag: string | undefined;
  readonly text: string;
  readonly socket: Socket;
}

function exchange(
  agent: Agent,
  address: string,
  method: string,
  path: string,
  { headers = {}, parameters }: { headers?: Record<string, string>; parameters?: object | undefined } = {},
): Promise<ExchangedRequest> {
  const type = parameters === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${address}${path}`, { agent, method, headers: { ...headers, ...type } }, (response) => {
      const { socket } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      const {
        statusCode: status = 0,
        headers: { etag: tag },
      } = response;
      response.on('end', () => resolve({ status, tag, text, socket }));
    });
    outgoing.on('error', reject);
    outgoing.end(parameters && JSON.stringify(parameters));
  });
}

/** The process that holds the server's end of a connection between two local ports. */
function ownerOf(port: number, from: number, pids: readonly number[]): number {
  const ends = `:${hex(port)} [0-9A-F]+:${hex(from)} `;
  const row = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((line) => new RegExp(ends).test(line));
  const inode = row?.trim().split(/\s+/)[9];
  const owner = pids.find((pid) => socketsOf(pid).includes(`socket:[${inode}]`));
  if (owner === undefined) throw new Error(`no process holds the connection from ${from} to ${port}`);
  return owner;
}

function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => linkAt(`${folder}/${fd}`) ?? []);
}

/** Null if it was closed meanwhile. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
