// Who may read the metrics: anyone who can reach their separate port, or who sends the token to the port of the service.
import { hash, timingSafeEqual } from 'node:crypto';
import http, { type RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { pathNotFound } from './errors.js';
import { type Metrics, sendMetrics } from './metrics.js';

/** A handler for those who send the bearer token; for everybody else there is nothing at the path. */
export function withToken(token: string, handler: RequestHandler): RequestHandler {
  const expected = digest(`Bearer ${token}`);
  return (req, res, next) => {
    if (!timingSafeEqual(digest(req.headers.authorization ?? ''), expected)) throw pathNotFound();
    return handler(req, res, next);
  };
}

/** A server, not listening yet, that answers GET /metrics and nothing else. */
export function createMetricsServer(metrics: Metrics): http.Server {
  const listener: RequestListener = (req, res) => {
    if (req.url !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) res.writeHead(404).end();
    else sendMetrics(metrics, res).catch(() => res.destroy());
  };
  return http.createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, listener);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
