// A small client of the service for tests: one function that sends a request as a client's programmer would.
import { exchange, type IncomingResponse, multipart } from './exchange.js';

export interface Reply extends IncomingResponse {
  /** The parsed body; null if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever shape the document gives the answer
  readonly body: any;
}

export interface RequestOptions {
  readonly session?: string | null;
  /** Sent as a JSON body, which includes the session as a parameter. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Send = (method: string, path: string, sent?: RequestOptions) => Promise<Reply>;

/** @returns a function that sends a request to the service at `address`, GET and DELETE with the session as a bearer token */
export function clientOf(address: string): Send {
  return async (method, path, { session = null, parameters, headers = {} } = {}) => {
    const reply = await exchange(`${address}${path}`, {
      method,
      headers: {
        ...(session === null ? {} : { authorization: `Bearer ${session}` }),
        ...(parameters === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: parameters === undefined ? undefined : JSON.stringify(parameters),
    });
    return { ...reply, body: parsed(reply.text) };
  };
}

/** Uploads bytes as a file of the session's user; returns its id. @param resource the resource that stores uploads */
export async function upload(
  address: string,
  session: string,
  file: { readonly name: string; readonly bytes: Uint8Array },
  resource = 'file',
): Promise<string> {
  const form = multipart([['session_id', session]], { part: 'file', ...file });
  const { text } = await exchange(`${address}/api/${resource}`, { method: 'POST', ...form });
  const body = JSON.parse(text) as { id?: string };
  if (body.id === undefined) throw new Error(`upload failed: ${JSON.stringify(body)}`);
  return body.id;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
