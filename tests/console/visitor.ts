// A visitor of the operators' or owners' pages without a browser, who sends the cookie of a session, and forms with a token.

import { exchange, type IncomingResponse } from '../support/exchange.js';

/** The fields of a form; a list where a name occurs several times. */
type Values = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

export interface Visitor {
  get(path: string): Promise<IncomingResponse>;
  /** @param csrf null: the form has none */
  post(path: string, values: Values, csrf: string | null): Promise<IncomingResponse>;
  /** The token of this session's pages. */
  token(): Promise<string>;
}

/** @param session null: nobody is logged in. @param more additional headers */
export function visitorOf(
  address: string,
  session: string | null,
  more: Readonly<Record<string, string>> = {},
  site: 'console' | 'portal' = 'console',
): Visitor {
  const cookie = { ...more, ...(session === null ? {} : { cookie: `punchboard_${site}=${session}` }) };
  const get = (path: string): Promise<IncomingResponse> =>
    exchange(`${address}${path}`, { method: 'GET', headers: cookie });
  return {
    get,
    post(path, values, csrf) {
      const pairs = Array.isArray(values) ? values : Object.entries(values);
      const body = new URLSearchParams([...(csrf === null ? [] : [['_csrf', csrf]]), ...pairs]).toString();
      const headers = { ...cookie, 'content-type': 'application/x-www-form-urlencoded' };
      return exchange(`${address}${path}`, { method: 'POST', headers, body });
    },
    async token() {
      return (
        /name="_csrf" value="([^"]+)"/.exec(
          (await get(site === 'console' ? '/console' : '/portal/webhooks')).text,
        )?.[1] ?? ''
      );
    },
  };
}
