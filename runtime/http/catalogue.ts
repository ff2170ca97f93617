// The routes of the catalogue (D54): `GET <path>`, all rows, and `GET <path>/<Identity>`, one of them; the same for every caller.

import type { Catalogue } from '../contract/catalogue.js';
import type { AnyDefinition } from '../contract/definition.js';
import { type Failure, ServiceError, throwAll } from '../contract/errors.js';
import type { Answer } from '../operations/call.js';
import { catalogueRows } from '../operations/catalogue.js';
import { unknownNames } from '../operations/service.js';
import { coerce } from '../operations/validate.js';
import type { Profile } from './profiles.js';
import type { Route, RouteRequest } from './routes.js';

/** By identity. */
type CatalogueTexts = ReadonlyMap<string, CatalogueText>;

interface CatalogueText {
  /** The boolean attributes that are true. */
  readonly flags: ReadonlySet<string>;
  readonly text: string;
}

/** @returns an empty list if the service has no catalogue. The rows are composed once, on the first request for them. */
export function catalogueRoutes(
  catalogue: Catalogue | undefined,
  definitions: readonly AnyDefinition[],
  profile: Pick<Profile, 'formatBoolean'>,
): readonly Route[] {
  if (catalogue === undefined) return [];
  const flags = Object.entries(catalogue.attributes).flatMap(([name, { kind }]) => (kind === 'boolean' ? [name] : []));
  const compose = (): CatalogueTexts => {
    const rows = catalogueRows(catalogue, definitions).map((row): readonly [string, CatalogueText] => {
      const shown = flags.map((name) => [name, profile.formatBoolean(row[name] === true)] as const);
      const text = JSON.stringify({ ...row, ...Object.fromEntries(shown) });
      return [row.identity, { flags: new Set(flags.filter((name) => row[name] === true)), text }];
    });
    return new Map(rows);
  };
  // Composed at start, they would be a tenth of the time to the first response.
  let composed: CatalogueTexts | null = null;
  const rows = () => (composed ??= compose());
  const shared = { method: 'GET', base: catalogue.path, tail: null, definition: null, upload: null } as const;
  const names = { ...shared, resource: 'catalogue' };
  return [
    { ...names, withId: false, operation: 'list', run: (request) => all(rows(), flags, request) },
    { ...names, withId: true, operation: 'fetch', run: (request) => one(rows(), request) },
  ];
}

/** `active_only=1` leaves out rows that are not active. */
function all(rows: CatalogueTexts, flags: readonly string[], { parameters }: RouteRequest): Answer {
  const failures: Failure[] = [];
  const wanted = flags.filter((flag) => isWanted(parameters, `${flag}_only`, failures));
  throwAll(failures);
  const chosen = [...rows.values()].filter((row) => wanted.every((flag) => row.flags.has(flag)));
  const ignored = unknownNames(
    parameters,
    flags.map((flag) => `${flag}_only`),
  );
  return { status: 200, body: `[${chosen.map(({ text }) => text).join(',')}]`, ignored };
}

function isWanted(parameters: RouteRequest['parameters'], name: string, failures: Failure[]): boolean {
  const coerced = coerce('boolean', parameters[name] ?? null);
  if (!coerced.ok) failures.push({ field: name, code: 'invalid', message: `${name} ${coerced.problem}` });
  return coerced.ok && coerced.value === true;
}

function one(rows: CatalogueTexts, { id, parameters }: RouteRequest): Answer {
  const row = rows.get(id);
  if (row === undefined) throw new ServiceError('not_found', 'The catalogue has no such identity.');
  return { status: 200, body: row.text, ignored: unknownNames(parameters) };
}
