// Response headers of pages, in place of the headers of responses with data.
import type { ServerResponse } from 'node:http';

/** What a page may load: only what this server sends. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** @param policy directives that are different for a page */
export function setPageHeaders(res: ServerResponse, policy: Readonly<Record<string, string>> = {}): void {
  const directives = Object.entries({ ...POLICY, ...policy }).map(([name, value]) => `${name} ${value}`);
  res.setHeader('Content-Security-Policy', directives.join('; '));
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('X-Frame-Options', 'DENY');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.setHeader('Cache-Control', 'no-store');
}
