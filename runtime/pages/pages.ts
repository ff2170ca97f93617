// The pages that anyone can open: the first page, the docs of the API, and the files that they load.

import type { Request, RequestHandler } from 'express';
import { memoize } from '../contract/memoize.js';
import type * as Docs from './docs/docs.js';
import { createFileServer } from './files.js';
import { setPageHeaders } from './headers.js';
import { createTemplates } from './templates.js';

export interface Pages {
  /** Shown at `/` to browsers. */
  readonly home: RequestHandler;
  /** Shown at `/docs`, and at `/docs/:tag`. @param document the API document of the version, asked for with the first request */
  docs(document: () => Buffer, version: Docs.DocsVersion): RequestHandler;
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

export function createPages(context: PagesContext): Pages {
  const render = createTemplates(__dirname);
  const { assets, icon } = createFileServer();
  return {
    home(_req, res) {
      setPageHeaders(res);
      res.end(render('home', context));
    },
    docs(document, version) {
      const viewOf = memoize((_: 'all') => {
        const { createDocsView } = require('./docs/docs.js') as typeof Docs;
        return createDocsView(JSON.parse(document().toString()), version);
      });
      return (req, res) => {
        const { searchParams } = new URL(req.url, 'http://here');
        const find = searchParams.get('find');
        const tag = req.params.tag === undefined ? null : String(req.params.tag);
        const view = viewOf('all')({ tag, find, origin: `${req.protocol}://${req.headers.host}` });
        setPageHeaders(res);
        res.end(render('docs', { ...context, ...view }));
      };
    },
    paths: { '/assets/:name': assets, '/favicon.ico': icon },
  };
}

/** True for a browser that opens a page; programs accept anything, or JSON. */
export function wantsPage(req: Request): boolean {
  return req.accepts(['application/json', 'text/html']) === 'text/html';
}
