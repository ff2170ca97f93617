// A small S3-compatible server for tests: the requests that the service sends, over real HTTP, in memory. It checks the access
// key and the content's hash, but no signature.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ACCESS_KEY = 'test-key';
const BUCKET = 'prints';

export interface StoredObject {
  readonly bytes: Buffer;
  /** Epoch milliseconds. */
  stored: number;
}

export interface S3Server {
  /** The address of its bucket, for `--files`, with a prefix. */
  address(prefix?: string): string;
  readonly endpoint: string;
  /** By key. */
  readonly objects: Map<string, StoredObject>;
  /** The bucket's clock. */
  now(): number;
  /** Each answers the next request of its method with a status; 0 never answers. */
  readonly failures: Failure[];
  /** Sends all bytes, whatever range is requested. */
  ignoresRanges: boolean;
  /** Holds the next request that begins like this, such as `DELETE files/aa`. */
  hold(request: string): HeldRequest;
  stop(): Promise<void>;
  /** Starts on the same port as before. */
  start(): Promise<void>;
}

export interface Failure {
  readonly method: string;
  readonly status: number;
}

export interface HeldRequest {
  /** Resolves when the request has arrived. */
  readonly arrived: Promise<void>;
  release(): void;
}

/** @param pageSize objects in one response to a listing */
export async function startS3(pageSize = 1000): Promise<S3Server> {
  const world: World = {
    objects: new Map(),
    failures: [],
    ignoresRanges: false,
    holds: [],
    pageSize,
    now: () => Date.now(),
  };
  let server: Server;
  let port = 0;
  const start = async (): Promise<void> => {
    server = createServer((request, response) => void answer(world, request, response)).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  await start();
  const endpoint = `http://127.0.0.1:${port}`;
  return Object.assign(world, {
    endpoint,
    address: (prefix = 'files') =>
      `s3://${BUCKET}/${prefix}?region=eu-central-1&path-style=true&endpoint=${encodeURIComponent(endpoint)}`,
    hold: (request: string) => hold(world, request),
    start,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

interface World extends Pick<S3Server, 'objects' | 'failures' | 'ignoresRanges' | 'now'> {
  readonly holds: { readonly request: string; readonly met: () => Promise<void> }[];
  readonly pageSize: number;
}

function hold({ holds }: World, request: string): HeldRequest {
  let arrive = (): void => undefined;
  let release = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const met = (): Promise<void> => {
    arrive();
    return released;
  };
  holds.push({ request, met });
  return { arrived, release };
}

async function answer(world: World, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://s3');
  const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  const body = await bodyOf(request).catch(() => null);
  if (body === null) return null;
  const name = `${request.method} ${key}`;
  const failure = world.failures.findIndex(({ method }) => method === request.method);
  if (failure >= 0) {
    const [{ status } = { status: 0 }] = world.failures.splice(failure, 1);
    return status === 0 ? null : refuse(response, status, 'Planned');
  }
  const at = world.holds.findIndex((one) => name.startsWith(one.request));
  if (at >= 0) await world.holds.splice(at, 1)[0]?.met();
  if (!request.headers.authorization?.includes(`Credential=${ACCESS_KEY}/`)) {
    return refuse(response, 403, 'InvalidAccessKeyId');
  }
  if (bucket !== BUCKET) return refuse(response, 404, 'NoSuchBucket');
  if (key === '') return list(world, url.searchParams, response);
  return HANDLERS[request.method ?? '']?.(world, { key, body, request, response });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface Exchange {
  readonly key: string;
  readonly body: Buffer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const HANDLERS: Readonly<Record<string, (world: World, exchange: Exchange) => unknown>> = {
  PUT: put,
  GET: get,
  HEAD: get,
  DELETE: remove,
};

function put(world: World, { key, body, request, response }: Exchange): unknown {
  const { 'x-amz-copy-source': source, 'x-amz-content-sha256': hash } = request.headers;
  const stored = world.now();
  if (source !== undefined) {
    const from = decodeURIComponent(String(source)).replace(`${BUCKET}/`, '');
    const original = world.objects.get(from);
    if (original === undefined) return refuse(response, 404, 'NoSuchKey');
    world.objects.set(key, { bytes: original.bytes, stored });
    return response.end(
      `<CopyObjectResult><LastModified>${new Date(stored).toISOString()}</LastModified></CopyObjectResult>`,
    );
  }
  if (hash !== createHash('sha256').update(body).digest('hex'))
    return refuse(response, 400, 'XAmzContentSHA256Mismatch');
  world.objects.set(key, { bytes: body, stored });
  return response.end();
}

function get({ objects, ignoresRanges }: World, { key, request, response }: Exchange): unknown {
  const object = objects.get(key);
  if (object === undefined) return refuse(response, 404, 'NoSuchKey');
  const { bytes, stored } = object;
  const range = ignoresRanges ? null : /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const [start, end] = range === null ? [0, bytes.length - 1] : [Number(range[1]), Number(range[2])];
  if (range !== null && start >= bytes.length) return refuse(response, 416, 'InvalidRange');
  response.writeHead(range === null ? 200 : 206, {
    'Content-Length': Math.min(end, bytes.length - 1) - start + 1,
    'Content-Range': `bytes ${start}-${end}/${bytes.length}`,
    // In whole seconds, as in S3.
    'Last-Modified': new Date(stored).toUTCString(),
  });
  return response.end(request.method === 'HEAD' ? undefined : bytes.subarray(start, end + 1));
}

function remove({ objects }: World, { key, response }: Exchange): unknown {
  objects.delete(key);
  return response.writeHead(204).end();
}

function list({ objects, pageSize }: World, parameters: URLSearchParams, response: ServerResponse): unknown {
  const size = Math.min(pageSize, Number(parameters.get('max-keys') ?? 1000));
  const after = parameters.get('continuation-token') ?? '';
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(parameters.get('prefix') ?? '') && key > after)
    .sort();
  const page = keys.slice(0, size);
  const more = keys.length > size;
  const contents = page.map((key) => {
    const { stored, bytes } = objects.get(key) as StoredObject;
    const modified = new Date(stored).toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><Size>${bytes.length}</Size></Contents>`;
  });
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return response.end(
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
  );
}

function refuse(response: ServerResponse, status: number, code: string): ServerResponse {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  return response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
