// Starts the made-up service on a free port and sends it requests, well-formed or as bytes.
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { createServer } from '../../runtime/http/server.js';
import { type AppParts, createApp } from '../../runtime/server/app.js';
import { appParts } from './fixture.js';

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON, loosely typed for assertions; null when it is not JSON. */
  readonly json: Record<string, unknown> | null;
}

export interface Service {
  readonly server: http.Server;
  readonly port: number;
  send(
    method: string,
    path: string,
    options?: { headers?: http.OutgoingHttpHeaders; body?: string | Buffer },
  ): Promise<Reply>;
  /** Sends bytes as they are and resolves with everything that comes back until the other side closes. */
  raw(bytes: string | Buffer, options?: { end?: boolean }): Promise<string>;
  close(): Promise<void>;
}

const nodeMajor = Number(process.versions.node.split('.')[0]);

export async function start(more: Partial<AppParts> = {}): Promise<Service> {
  const server = createServer(createApp(appParts(more)), nodeMajor);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    send: (method, path, options = {}) => send(port, method, path, options),
    raw: (bytes, { end = false } = {}) =>
      new Promise((resolve) => {
        let text = '';
        const socket = net.connect(port, '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)));
        socket.on('data', (chunk) => (text += String(chunk)));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(text));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: http.OutgoingHttpHeaders; body?: string | Buffer },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = {
      port,
      host: '127.0.0.1',
      method,
      path,
      agent: false as const,
      headers: { ...length, ...headers },
    };
    const req = http.request(options, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk) => (text += chunk));
      res.on('error', reject);
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: jsonOf(text) }));
    });
    req.on('error', reject);
    req.end(body);
  });
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

export const JSON_BODY = { 'Content-Type': 'application/json' };
export const FORM_BODY = { 'Content-Type': 'application/x-www-form-urlencoded' };
export const MULTIPART_BODY = { 'Content-Type': 'multipart/form-data; boundary=b' };

/** Parts of a multipart body with boundary `b`; a part with a file name is a file. */
export function multipart(parts: readonly { name: string; value: string; filename?: string }[]): string {
  const written = parts.map(({ name, value, filename }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return `${written.join('')}--b--\r\n`;
}
