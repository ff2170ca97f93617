// The ways in which parameters can reach the service (D10): one function each; the session is a parameter like the others.

import type { Reply } from '../support/client.js';
import type { SentParameters } from './world.js';

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly parameters: SentParameters;
}

type Transport = (request: Request) => Promise<Reply>;

export const transports = {
  query: ({ method, url, parameters }) => answer(`${url}?${pairs(parameters)}`, { method }),
  json: ({ method, url, parameters }) =>
    answer(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(parameters) }),
  urlencoded: ({ method, url, parameters }) =>
    answer(url, {
      method,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: pairs(parameters).toString(),
    }),
  multipart: ({ method, url, parameters }) => {
    const body = new FormData();
    for (const [name, value] of pairs(parameters)) body.set(name, value);
    return answer(url, { method, body });
  },
} as const satisfies Record<string, Transport>;

function pairs(parameters: SentParameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)] as [string, string]),
  );
}

async function answer(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
}
