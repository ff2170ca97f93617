// The security headers are data; helmet is the reference for them.

import express from 'express';
import helmet from 'helmet';
import request from 'supertest';
import { SECURITY_HEADERS } from '../../runtime/http/headers.js';

/** What only concerns pages. */
const PAGES = {
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  dnsPrefetchControl: false,
  ieNoOpen: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
} as const;

const OURS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  frameguard: { action: 'deny' },
} as const;

const empty = (_: express.Request, res: express.Response): void => void res.writeHead(204).end();

async function headersOf(...handlers: readonly express.RequestHandler[]): Promise<readonly [string, string][]> {
  const app = express().use(...handlers, empty);
  return Object.entries((await request(app).get('/')).headers as Record<string, string>);
}

test('they are those of helmet, but for what only concerns pages', async () => {
  const plain = new Set((await headersOf()).map(([name]) => name));
  const added = (await headersOf(helmet({ ...PAGES, ...OURS }))).filter(([name]) => !plain.has(name));
  expect(added.flat()).toEqual(SECURITY_HEADERS.map((one, at) => (at % 2 === 0 ? one.toLowerCase() : one)));
});
