// A recorded exchange as data, and how such a request is sent.

export type Scalar = string | number | boolean | null;
/** A value in which names may replace ids: a string such as `<game 2>`, or a text that contains one. */
export type Value = Scalar | readonly Value[] | { readonly [name: string]: Value };

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The user of the session, and how it is sent (D11). */
  readonly session?: { readonly of: string; readonly in: 'bearer' | 'parameter' };
  /** How the parameters are sent (D10). */
  readonly as?: 'json' | 'form' | 'multipart' | 'query';
  readonly parameters?: Readonly<Record<string, Value>>;
  /** A file part, sent last, with the contents of one of `FILES`. */
  readonly file?: { readonly part: string; readonly name: string; readonly content: string };
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RecordedAnswer {
  readonly status: number;
  /** Null if missing here, although most responses have it. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: Value;
}

export interface Exchange {
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @param files the bytes of file parts, by name in the recording */
export async function send(
  address: string,
  request: RecordedRequest,
  sessionId: string | undefined,
  files: Readonly<Record<string, Buffer>>,
): Promise<RawAnswer> {
  const { method, path, session, as = 'query', file, headers = {} } = request;
  const pairs = Object.entries(request.parameters ?? {});
  if (session?.in === 'parameter') pairs.push(['session_id', sessionId ?? null]);
  const body = bodyOf(as, pairs, file && { ...file, bytes: files[file.content] });
  const query = as === 'query' && pairs.length > 0 ? `${path.includes('?') ? '&' : '?'}${form(pairs)}` : '';
  const response = await fetch(`${address}${path}${query}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(session?.in === 'bearer' ? { authorization: `Bearer ${sessionId}` } : {}),
      ...(as === 'json' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

type Pairs = readonly (readonly [name: string, value: Value])[];
type MultipartPart = { readonly part: string; readonly name: string; readonly bytes: Buffer | undefined };

function bodyOf(
  as: string,
  pairs: Pairs,
  file: MultipartPart | undefined,
): string | URLSearchParams | FormData | undefined {
  if (as === 'json') return JSON.stringify(Object.fromEntries(pairs));
  if (as === 'form') return form(pairs);
  return as === 'multipart' ? multipart(pairs, file) : undefined;
}

function form(pairs: Pairs): URLSearchParams {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, asText(value)]));
}

function multipart(pairs: Pairs, file: MultipartPart | undefined): FormData {
  const data = new FormData();
  for (const [name, value] of pairs) data.append(name, asText(value));
  if (file?.bytes !== undefined) data.append(file.part, new Blob([new Uint8Array(file.bytes)]), file.name);
  return data;
}

function asText(value: Value): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
