// Admits browsers of other origins (D46): only origins that the operator names, and without credentials.

import type { RequestHandler } from 'express';

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Punchboard-Version, X-HTTP-Method, X-Request-Id';

const ALLOWED = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': ALLOWED_HEADERS,
  'Access-Control-Max-Age': '7200',
};
/** What scripts may read of a response besides its body. */
const EXPOSED =
  'ETag, Location, Retry-After, Ignored-Parameters, Deprecation, Sunset, Link, Punchboard-Version, X-Request-Id, WWW-Authenticate';

/** Answers preflights, and adds headers to the responses to these origins. */
export function createCors(origins: readonly string[]): RequestHandler {
  const known = new Set(origins);
  return (req, res, next) => {
    const { origin } = req.headers;
    res.setHeader('Vary', 'Origin');
    if (origin === undefined || !known.has(origin)) {
      next();
      return;
    }
    res.setHeader('Access-Control-Allow-Origin', origin);
    if (req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined) {
      res.writeHead(204, ALLOWED).end();
      return;
    }
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
    next();
  };
}

/** What is wrong with a text as an origin, as a sentence; null: nothing. */
export function originProblem(text: string): string | null {
  const isOrigin = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
  return isOrigin ? null : `${text} must be an origin, such as https://app.example.org`;
}
