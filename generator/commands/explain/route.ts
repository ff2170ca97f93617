// Where a route comes from: the key that makes it, who may use it, the keys of its parameters, the code that serves it.

import { suggest } from '../../diagnostics/suggest.js';
import { serviceOperations } from '../../emit/openapi/service.js';
import { originsOf } from './name.js';
import { type MadeRoute, routesOf } from './routes.js';
import { type Key, keysOf, resourceOf, type SpecContext, spot, subjectOf } from './spec-context.js';
import { type Answer, joined, keyText, meant, type Row, rows } from './words.js';

/**
 * @param method in upper case
 * @param path with an id, `{id}` or `:id`; a query is left aside
 * @param out the folder of generated code as the caller knows it
 */
export function explainRoute(
  context: SpecContext,
  { method, path, out }: { method: string; path: string; out: string },
): Answer {
  const asked = path.replace(/[?#].*$/, '').replace(/(.)\/$/, '$1');
  const wanted = method === 'HEAD' ? 'GET' : method;
  const all: readonly (MadeRoute | Plain)[] = [...routesOf(context), ...serviceRoutes(context)];
  const there = nearest(all, asked);
  const found = there.filter((route) => route.method === wanted);
  if (found.length > 0) {
    return { found: joined(found.map((route) => (isMade(route) ? told(context, route, out) : ofService(route)))) };
  }
  if (there.length > 0) {
    const methods = [...new Set(there.map((route) => route.method))].join(', ');
    return { unknown: `${asked} does not answer ${wanted}, only ${methods}` };
  }
  const known = all.filter((route) => route.method === wanted).map((route) => route.path);
  return { unknown: `No route answers ${wanted} ${asked}${meant(suggest(asked, known))}` };
}

type Plain = Pick<MadeRoute, 'method' | 'path'>;

function isMade(route: MadeRoute | Plain): route is MadeRoute {
  return 'resource' in route;
}

function serviceRoutes({ model }: SpecContext): readonly Plain[] {
  const told = serviceOperations(model).map(({ path, method }) => ({
    path,
    method: method.toUpperCase() as Plain['method'],
  }));
  // The document does not tell of itself.
  return [...told, { path: '/openapi.json', method: 'GET' }];
}

/** Routes whose path is the one asked for; one that spells a piece out goes before one that has an id there. */
function nearest<R extends Plain>(all: readonly R[], asked: string): readonly R[] {
  const pieces = asked.split('/').map((piece) => (/^(:\w+|\{\w+\})$/.test(piece) ? null : piece));
  const matching = all.filter(({ path }) => {
    const own = path.split('/');
    return own.length === pieces.length && own.every((piece, at) => isId(piece) || piece === pieces[at]);
  });
  const ids = ({ path }: R): number => path.split('/').filter(isId).length;
  const fewest = Math.min(...matching.map(ids));
  return matching.filter((route) => ids(route) === fewest);
}

function isId(piece: string): boolean {
  return piece.startsWith('{');
}

function ofService({ method, path }: Plain): string {
  return `${method} ${path}: the service itself; no descriptor makes it\n`;
}

function told(context: SpecContext, route: MadeRoute, out: string): string {
  const subject = subjectOf(context, route.resource);
  const keys = keysOf(subject, route.pointer);
  return joined([
    `${route.method} ${route.path}: ${route.does}${route.pointer[0] === 'paths' ? `, of ${route.resource}` : ''}\n`,
    ...keys.map((key) => keyText(context, key)),
    rows([...who(context, route), ...parameters(context, route), ['served in', served(context, route, out)]]),
  ]);
}

/** Which right it takes beyond a session, and where that right is given. */
const RIGHTS: Readonly<Record<string, string>> = { fetch: 'read', update: 'edit', delete: 'edit' };

function who(context: SpecContext, { resource, does, pointer }: MadeRoute): readonly Row[] {
  const right = pointer[0] === 'actions' ? null : RIGHTS[does];
  const callers = (resourceOf(context, resource).operations as Readonly<Record<string, string | null>>)[does];
  const keys = right === undefined || right === null ? [] : keysOf(subjectOf(context, resource), ['access', right]);
  const key = keys[0];
  return [
    [
      'callers',
      callers === 'session' ? 'whoever is logged in' : callers === 'admin' ? 'administrators' : (callers ?? ''),
    ],
    ['right', key === undefined ? (right ?? '') : `${right}, given at ${spot(context, key.place)}`],
  ];
}

function parameters(context: SpecContext, { resource, does, pointer }: MadeRoute): readonly Row[] {
  const model = resourceOf(context, resource);
  const action = pointer[0] === 'actions' ? model.actions.find(({ name }) => name === pointer[1]) : undefined;
  const sent = action?.parameters ?? (does === 'create' || does === 'update' ? model.parameters : []);
  const subject = subjectOf(context, resource);
  const origins = originsOf(context, resource);
  return sent.map(({ name, requiredOnCreate }, at) => {
    const own = origins.find((one) => one.name === name && one.role === 'a parameter');
    const place = action === undefined ? own?.pointer : ['actions', action.name, 'parameters', name];
    const key: Key | undefined = place === undefined ? undefined : keysOf(subject, place)[0];
    const needed = requiredOnCreate && does !== 'update' ? ', required' : '';
    return [
      at === 0 ? 'parameters' : '',
      `${name}${needed}${key === undefined ? '' : `: ${spot(context, key.place)}`}`,
    ];
  });
}

function served({ outputs }: SpecContext, { resource, served: pattern }: MadeRoute, out: string): string {
  const path = `resources/${resource}.ts`;
  const text = outputs.find((output) => output.path === path)?.text ?? '';
  const line = text.slice(0, Math.max(0, text.search(pattern))).split('\n').length;
  return `${out}/${path}:${line}`;
}
