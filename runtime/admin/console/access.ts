// Which role each of the operators' pages and actions takes (D65), and a page without the links and forms that its reader may not use.

import { ROLES, type Role } from '../../auth/roles.js';
import { ServiceError } from '../../contract/errors.js';
import type { PageRoute } from './page.js';
import { type Form, type Link, type PageView, SELECTION, type Section, type Table } from './view.js';

type Route = Pick<PageRoute, 'method' | 'path'>;

/** What others than administrators may use, by the least role that it takes. */
const OPEN: Readonly<Record<string, Role>> = {
  'GET /': 'readonly',
  'GET /find': 'readonly',
  'GET /records/:type': 'readonly',
  'GET /records/:type/export': 'readonly',
  'GET /records/:type/:id': 'readonly',
  'GET /records/:type/:id/lists/:list': 'readonly',
  'GET /records/:type/:id/lists/:list/export': 'readonly',
  'GET /webhooks': 'readonly',
  'GET /webhooks/:hook': 'readonly',
  'GET /webhooks/:hook/deliveries/:delivery': 'readonly',
  'POST /webhooks/:hook/retry': 'support',
  'POST /webhooks/:hook/deliveries/:delivery/retry': 'support',
  'GET /users': 'readonly',
  'GET /users/:id': 'readonly',
  'GET /sessions': 'readonly',
  'GET /audit': 'readonly',
  'GET /errors': 'readonly',
  'GET /backups': 'readonly',
  'GET /schema': 'readonly',
};

function roleFor({ method, path }: Route): Role {
  return OPEN[`${method} ${path}`] ?? 'admin';
}

function mayUse(role: Role, route: Route): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(roleFor(route));
}

/** Throws forbidden, with the role that it takes. @param role null: everybody on the site may use all of it */
export function requireRole(role: Role | null, route: Route): void {
  if (role === null || mayUse(role, route)) return;
  const needed = roleFor(route);
  const who = needed === 'admin' ? 'an administrator' : `the role ${needed}`;
  throw new ServiceError('forbidden', `This takes ${who}; your role is ${role}.`);
}

/** @returns the page without what the role may not use. @param base beginning of the paths of the site */
export function pageFor(page: PageView, role: Role | null, routes: readonly Route[], base: string): PageView {
  if (role === null || role === 'admin') return page;
  const patterns = routes.map((route) => {
    const pattern = new RegExp(`^${route.path === '/' ? '' : route.path.replace(/:\w+/g, '[^/]+')}$`);
    return { pattern, method: route.method, isOpen: mayUse(role, route) };
  });
  const may = (method: Route['method'], href: string): boolean => {
    const [path = ''] = href.split('?');
    if (!path.startsWith(base)) return true;
    const below = path.slice(base.length);
    return patterns.find((one) => one.method === method && one.pattern.test(below))?.isOpen !== false;
  };
  const usable = {
    link: ({ href }: Link) => may('GET', href),
    form: ({ action }: Form) => action === null || may('POST', action),
  };
  const selects = page.sections.some(({ form }) => form?.id === SELECTION && usable.form(form));
  const sections = page.sections.flatMap((one) => usableSection(one, { ...usable, selects }));
  return { ...page, links: page.links.filter(usable.link), sections };
}

interface Usable {
  link(link: Link): boolean;
  form(form: Form): boolean;
  /** Whether there is a form for the boxes that select records. */
  readonly selects: boolean;
}

/** A section of which nothing is left goes, with the note about its form. */
function usableSection(shown: Section, usable: Usable): readonly Section[] {
  const form = shown.form !== null && usable.form(shown.form) ? shown.form : null;
  const [buttons, links] = [shown.buttons.filter(usable.form), shown.links.filter(usable.link)];
  const table = shown.table && usableTable(shown.table, usable);
  const { facts, plots, progress, note } = shown;
  const isEmpty = [form, table, facts, plots, progress, buttons[0] ?? null, links[0] ?? null].every(
    (one) => one === null,
  );
  return isEmpty && (note === null || form !== shown.form) ? [] : [{ ...shown, form, buttons, links, table }];
}

/** A column of buttons goes as a whole. */
function usableTable(shown: Table, { form, selects }: Usable): Table {
  const first = shown.selects && !selects ? 1 : 0;
  const isShown = (at: number): boolean =>
    at >= first && shown.rows.every((row) => row[at]?.button == null || form(row[at].button));
  const columns = shown.columns.filter((_, at) => isShown(at + (shown.selects ? 1 : 0)));
  return {
    ...shown,
    selects: shown.selects && selects,
    columns,
    rows: shown.rows.map((row) => row.filter((_, at) => isShown(at))),
  };
}
