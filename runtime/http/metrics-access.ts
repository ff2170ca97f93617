// Decides who may read the metrics: anyone who can reach their separate port, or who sends the token to the service's port.
import { hash, timingSafeEqual } from 'node:crypto';
import http, { type RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { pathNotFound } from './errors.js';
import { type RequestMetrics, sendMetrics } from './metrics.js';

/** Passes requests with the bearer token to the handler; for all others the path does not exist. */
export function withToken(token: string, handler: RequestHandler): RequestHandler {
  const expected = digest(`Bearer ${token}`);
  return (req, res, next) => {
    if (!timingSafeEqual(digest(req.headers.authorization ?? ''), expected)) throw pathNotFound();
    return handler(req, res, next);
  };
}

/** A server, not listening yet, that serves GET /metrics and nothing else. */
export function createMetricsServer(metrics: Pick<RequestMetrics, 'text'>): http.Server {
  const listener: RequestListener = (req, res) => {
    if (req.url !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) res.writeHead(404).end();
    else sendMetrics(metrics, res).catch(() => res.destroy());
  };
  return http.createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, listener);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
