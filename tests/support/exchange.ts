// One HTTP request of a test over node:http, with keep-alive connections. `fetch` takes three times as much CPU, six times for
// an upload, and the suites send some hundred thousand requests.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface OutgoingRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

export interface IncomingResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An idle connection ends before the server's own five seconds, so that no request is sent on a closing connection. */
const agent = new Agent({ keepAlive: true, timeout: 4_000 });

/** Sends the request; redirects are not followed. Rejects if the connection fails. */
export function exchange(url: string, { method, headers = {}, body }: OutgoingRequest): Promise<IncomingResponse> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response.headers),
          text: decoded(Buffer.concat(chunks), response.headers['content-encoding']),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function decoded(bytes: Buffer, encoding: string | undefined): string {
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

function headersOf(headers: IncomingHttpHeaders): Headers {
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
}

export interface FilePart {
  /** Name of the part. */
  readonly part: string;
  /** Name of the file. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const BOUNDARY = 'a-boundary-that-no-test-sends';

/** Header and body of a form: its fields, then the file. */
export function multipart(
  fields: Iterable<readonly [name: string, value: string]>,
  file?: FilePart,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } {
  const head = (name: string, more = '') =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const texts = [...fields].map(([name, value]) => Buffer.from(`${head(name)}${value}\r\n`));
  const type = '\r\nContent-Type: application/octet-stream';
  const bytes =
    file === undefined
      ? []
      : [Buffer.from(head(file.part, `; filename="${file.name}"${type}`)), file.bytes, Buffer.from('\r\n')];
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([...texts, ...bytes, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}
