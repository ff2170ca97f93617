// The files that pages load, at /assets/<name>: our own and those of libraries, read when first asked for.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../contract/errors.js';
import { memoize } from '../contract/memoize.js';
import { serveContent } from '../http/document.js';

const SCRIPT = 'text/javascript; charset=utf-8';

/** Media types by name; nothing else of the folder is served. */
const TYPES: Readonly<Record<string, string>> = {
  'style.css': 'text/css; charset=utf-8',
  'docs.css': 'text/css; charset=utf-8',
  'uplot.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'docs.js': SCRIPT,
  'console.js': SCRIPT,
  'htmx.js': SCRIPT,
  'uplot.js': SCRIPT,
};

export interface FileServer {
  /** Serves `GET /assets/:name`. */
  readonly assets: RequestHandler;
  /** Serves the icon at the path that browsers ask for by themselves. */
  readonly icon: RequestHandler;
}

export function createFileServer(): FileServer {
  const serving = memoize((name: string) =>
    serveContent(() => readFileSync(join(__dirname, 'files', name)), TYPES[name] ?? ''),
  );
  const serve =
    (nameOf: (req: Request) => string): RequestHandler =>
    (req, res, next) => {
      const name = nameOf(req);
      if (!Object.hasOwn(TYPES, name)) throw new ServiceError('not_found', 'There is no such file.');
      res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
      return serving(name)(req, res, next);
    };
  return { assets: serve((req) => String(req.params.name)), icon: serve(() => 'icon.svg') };
}
