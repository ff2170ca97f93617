// Sends what a page answers: HTML within the frame of the pages, the way to another page, or a file.

import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import type { Parameters } from '../../operations/call.js';
import type { createTemplates } from '../../pages/templates.js';
import type { Download, Operator, PageAnswer } from './page.js';
import type { ResourceGroup } from './resource.js';
import { sendKept, tokenOf } from './session.js';
import type { Link } from './view.js';
import { pluralTitle } from './words.js';

export interface PageFrame {
  /** Name of the service. */
  readonly title: string;
  readonly menu: readonly Link[];
  /** The resources whose records can be opened. */
  groups(): readonly ResourceGroup[];
}

interface Sender extends PageFrame {
  readonly render: ReturnType<typeof createTemplates>;
}

interface Sending {
  readonly req: Request;
  readonly res: Response;
  readonly query: Parameters;
}

export function send(sender: Sender, { req, res, query }: Sending, operator: Operator, answered: PageAnswer): void {
  if ('to' in answered) {
    res.redirect(303, `/console${answered.to}`);
    return;
  }
  if ('download' in answered) {
    sendFile(res, answered.download);
    return;
  }
  const { page, status = 200, keep } = answered;
  if (keep !== undefined) sendKept(req, res, keep);
  const done = page.done ?? sentence(query.done);
  res.status(status);
  const values = frame(sender, { title: page.title, operator, path: req.path });
  res.end(sender.render('page', { ...values, page: { ...page, done } }));
}

/** A failure cuts the connection, as the response has begun. */
function sendFile(res: Response, { name, type, chunks }: Download): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  const rows = Readable.from(chunks, { objectMode: false, highWaterMark: 1 });
  rows.on('error', () => res.destroy());
  res.on('close', () => rows.destroy());
  rows.pipe(res);
}

/** What was done before the redirect that led here. */
function sentence(done: unknown): string | null {
  return typeof done === 'string' && /^[\p{L}\p{N}\p{M} ,.'“”’:;()-]{1,300}$/u.test(done) ? done : null;
}

interface FrameOf {
  readonly title: string;
  readonly operator: Operator | null;
  readonly path: string;
}

export function frame({ title: service, menu, groups }: PageFrame, { title, operator, path }: FrameOf) {
  const mark = (link: Link): Link & { readonly current: boolean } => {
    const below = link.href.slice('/console'.length);
    return { ...link, current: below === '' ? path === '/' : path === below || path.startsWith(`${below}/`) };
  };
  const resources = (operator === null ? [] : groups()).map(({ name, definitions }) => {
    const links = definitions.map((one) => mark({ text: pluralTitle(one), href: `/console/records/${one.name}` }));
    return { name, links, open: links.some(({ current }) => current) };
  });
  const csrf = operator === null ? '' : tokenOf(operator.session);
  const shown = { menu: menu.map(mark), resources, operator: operator?.name ?? null, csrf };
  return { service, title, path: `/console${path}`, ...shown };
}
