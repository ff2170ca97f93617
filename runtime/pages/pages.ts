// The pages that anyone can open: the first page, the docs of the API, and the files that they load.

import type { Request, RequestHandler } from 'express';
import { createFileServer } from './files.js';
import { setPageHeaders } from './headers.js';
import { createTemplates } from './templates.js';

export interface Pages {
  /** Shown at `/` to browsers. */
  readonly home: RequestHandler;
  /** Handlers of GET and HEAD by path. */
  readonly paths: Readonly<Record<string, RequestHandler>>;
}

export interface PagesContext {
  readonly title: string;
  readonly version: string;
  /** Whether there are operators' pages. */
  readonly console: boolean;
  /** Whether there are pages for owners of web hooks. */
  readonly portal: boolean;
}

/**
 * Scalar sets styles of elements and loads pictures of descriptions; its samples are made in the page. Scripts come from
 * this server alone, as does everything it loads.
 */
const DOCS_POLICY = {
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self' data:",
};

export function createPages(context: PagesContext): Pages {
  const render = createTemplates(__dirname);
  const { assets, icon } = createFileServer();
  const page = (name: string, policy?: Readonly<Record<string, string>>): RequestHandler => {
    return (_req, res) => {
      setPageHeaders(res, policy);
      res.end(render(name, context));
    };
  };
  return {
    home: page('home'),
    paths: { '/docs': page('docs', DOCS_POLICY), '/assets/:name': assets, '/favicon.ico': icon },
  };
}

/** True for a browser that opens a page; programs accept anything, or JSON. */
export function wantsPage(req: Request): boolean {
  return req.accepts(['application/json', 'text/html']) === 'text/html';
}
