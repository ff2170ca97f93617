// A small client of the service for tests: one function, what a client programmer would send.

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever shape the document gives the answer
  readonly body: any;
}

export interface Sent {
  readonly session?: string | null;
  /** Sent as a JSON body, with the session as a parameter beside it. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Send = (method: string, path: string, sent?: Sent) => Promise<Reply>;

/** @returns a function that sends a request to the service at `address`, GET and DELETE with the session as a bearer token */
export function clientOf(address: string): Send {
  return async (method, path, { session = null, parameters, headers = {} } = {}) => {
    const response = await fetch(`${address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(session === null ? {} : { authorization: `Bearer ${session}` }),
        ...(parameters === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(parameters === undefined ? {} : { body: JSON.stringify(parameters) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };
}

/** Uploads bytes as a file of the session's user; returns its id. @param resource what stores uploads */
export async function upload(
  address: string,
  session: string,
  file: { readonly name: string; readonly bytes: Uint8Array },
  resource = 'file',
): Promise<string> {
  const form = new FormData();
  form.set('session_id', session);
  form.set('file', new Blob([file.bytes]), file.name);
  const response = await fetch(`${address}/api/${resource}`, { method: 'POST', body: form });
  const body = (await response.json()) as { id?: string };
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
