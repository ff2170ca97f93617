// The security headers are data; helmet is the reference for them.

import express from 'express';
import helmet from 'helmet';
import request from 'supertest';
import { FILE_SECURITY, JSON_SECURITY } from '../../runtime/http/respond.js';

/** Headers that only concern pages. */
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
  // Browsers use frame-ancestors, which is newer, in its place.
  frameguard: false,
} as const;

const empty = (_: express.Request, res: express.Response): void => void res.writeHead(204).end();

async function headersOf(...handlers: readonly express.RequestHandler[]): Promise<readonly [string, string][]> {
  const app = express().use(...handlers, empty);
  return Object.entries((await request(app).get('/')).headers as Record<string, string>);
}

/** JSON has no links, and is not embedded. */
const JSON_ONLY = { crossOriginResourcePolicy: false, referrerPolicy: false } as const;
const FILES = { crossOriginResourcePolicy: { policy: 'cross-origin' } } as const;

test.each([
  ['JSON', JSON_SECURITY, JSON_ONLY],
  ['files', FILE_SECURITY, FILES],
] as const)(
  'the headers of %s are those of helmet, except those that only concern pages',
  async (_of, ours, settings) => {
    const plain = new Set((await headersOf()).map(([name]) => name));
    const added = (await headersOf(helmet({ ...PAGES, ...OURS, ...settings }))).filter(([name]) => !plain.has(name));
    expect(added.flat()).toEqual(ours.map((part, at) => (at % 2 === 0 ? part.toLowerCase() : part)));
  },
);
