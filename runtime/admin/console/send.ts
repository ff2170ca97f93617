// Sends the answer of a page: HTML within the frame of the site, a redirect to another page, or a file.

import { Readable } from 'node:stream';
import type { Response } from 'express';
import type { Parameters } from '../../operations/call.js';
import type { createTemplates } from '../../pages/templates.js';
import type { PageFilter } from './access.js';
import type { Download, Operator, PageAnswer, Site } from './page.js';
import type { ResourceGroup } from './resource.js';
import { type HttpExchange, sendChoice, tokenOf } from './session.js';
import type { Link } from './view.js';
import { pluralTitle } from './wording.js';

export interface PageFrame {
  readonly site: Site;
  /** Name of the service. */
  readonly title: string;
  readonly menu: readonly Link[];
  /** The resources whose records can be opened. */
  groups(): readonly ResourceGroup[];
}

interface Sender extends PageFrame {
  readonly render: ReturnType<typeof createTemplates>;
  readonly usable: PageFilter;
}

export interface PageExchange extends HttpExchange {
  /** The path with `:name` for its parts. */
  readonly pattern: string;
  readonly query: Parameters;
}

export function send(
  sender: Sender,
  { req, res, query }: PageExchange,
  operator: Operator,
  answered: PageAnswer,
): void {
  if ('to' in answered) {
    res.redirect(303, sender.site.base + answered.to);
    return;
  }
  if ('download' in answered) {
    sendFile(res, answered.download);
    return;
  }
  const { status = 200, keep } = answered;
  const page = sender.usable(answered.page, operator.role);
  if (keep !== undefined) sendChoice(sender.site, { req, res }, keep);
  const done = page.done ?? sentence(query.done);
  res.status(status);
  const values = frame(sender, page.title, operator, req.path);
  res.end(sender.render('page', { ...values, page: { ...page, done } }));
}

/** A failure cuts the connection, because the response has begun by then. */
function sendFile(res: Response, { name, type, chunks }: Download): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  const rows = Readable.from(chunks, { objectMode: false, highWaterMark: 1 });
  rows.on('error', () => res.destroy());
  res.on('close', () => rows.destroy());
  rows.pipe(res);
}

/** The message of the redirect that led here; null for anything that is not plain words. */
function sentence(done: unknown): string | null {
  return typeof done === 'string' && /^[\p{L}\p{N}\p{M} ,.'“”’:;()-]{1,300}$/u.test(done) ? done : null;
}

/** @param operator null: nobody is logged in @param path of the page, below the base of the site */
export function frame(
  { title: service, site, menu, groups }: PageFrame,
  title: string,
  operator: Operator | null,
  path: string,
) {
  const mark = (link: Link): Link & { readonly current: boolean } => {
    const below = link.href.slice(site.base.length);
    return { ...link, current: below === '' ? path === '/' : path === below || path.startsWith(`${below}/`) };
  };
  const resources = (operator === null ? [] : groups()).map(({ name, definitions }) => {
    const links = definitions.map((one) => mark({ text: pluralTitle(one), href: `${site.base}/records/${one.name}` }));
    return { name, links, open: links.some(({ current }) => current) };
  });
  const csrf = operator === null ? '' : tokenOf(operator.session);
  const shown = { menu: menu.map(mark), resources, operator: operator?.name ?? null, csrf };
  return { service, site, title, path: site.base + path, ...shown };
}
