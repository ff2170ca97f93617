// A recorded exchange as data, and how such a request is sent.

import { exchange, type FilePart, multipart, type OutgoingRequest } from '../support/exchange.js';

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
  const bytes = files[file?.content ?? ''];
  const body = bodyOf(as, pairs, file && bytes && { ...file, bytes });
  const query = as === 'query' && pairs.length > 0 ? `${path.includes('?') ? '&' : '?'}${form(pairs)}` : '';
  return exchange(`${address}${path}${query}`, {
    method,
    ...body,
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip',
      ...(session?.in === 'bearer' ? { authorization: `Bearer ${sessionId}` } : {}),
      ...body.headers,
      ...headers,
    },
  });
}

type Pairs = readonly (readonly [name: string, value: Value])[];

function bodyOf(as: string, pairs: Pairs, file: FilePart | undefined): Pick<OutgoingRequest, 'headers' | 'body'> {
  const typed = (type: string, body: string) => ({ headers: { 'content-type': type }, body });
  if (as === 'json') return typed('application/json', JSON.stringify(Object.fromEntries(pairs)));
  if (as === 'form') return typed('application/x-www-form-urlencoded;charset=UTF-8', form(pairs));
  return as === 'multipart' ? multipart(textsOf(pairs), file) : {};
}

function form(pairs: Pairs): string {
  return String(new URLSearchParams(textsOf(pairs)));
}

function textsOf(pairs: Pairs): [name: string, text: string][] {
  return pairs.map(([name, value]) => [name, asText(value)]);
}

function asText(value: Value): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
