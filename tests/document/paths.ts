// Transcribes "Endpoints": the general rules, "Path forms" (D32) and "webhook endpoints". `{id}` stands for an id.
import type { DocumentedName, Operation } from './table.js';

export interface PathForm {
  readonly resource: DocumentedName;
  readonly operation: Operation | 'test' | 'list';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** `rule`: from the general table; `listed`: one of the other forms. */
  readonly source: 'rule' | 'listed';
}

const verbs = { create: 'POST', fetch: 'GET', update: 'PUT', delete: 'DELETE' } as const satisfies Record<
  Operation,
  PathForm['method']
>;

/** The four general rules for a base path. */
function forms(resource: DocumentedName, base: string, source: PathForm['source'] = 'rule'): readonly PathForm[] {
  return [
    { resource, operation: 'create', method: verbs.create, path: base, source },
    { resource, operation: 'fetch', method: verbs.fetch, path: `${base}/{id}`, source },
    { resource, operation: 'update', method: verbs.update, path: `${base}/{id}`, source },
    { resource, operation: 'delete', method: verbs.delete, path: `${base}/{id}`, source },
  ];
}

export const generalPaths: readonly PathForm[] = [
  ...forms('twosidedsluggedset', '/api/twosidedsluggedset'),
  ...forms('twosidedslugged', '/api/twosidedslugged'),
  ...forms('twosidedbox', '/api/twosidedbox'),
  ...forms('boxtop', '/api/boxtop'),
  ...forms('onesidedsluggedset', '/api/onesidedsluggedset'),
  ...forms('customcuttwosidedslugged', '/api/customcuttwosidedslugged'),
  ...forms('customcolord6', '/api/customcolord6'),
  ...forms('customwoodd6', '/api/customwoodd6'),
  ...forms('scorepad', '/api/scorepad'),
  ...forms('booklet', '/api/booklet'),
  ...forms('bookletpage', '/api/bookletpage'),
  ...forms('coilbook', '/api/coilbook'),
  ...forms('designerassociate', '/api/designerassociate'),
  ...forms('gamedownload', '/api/gamedownload'),
];

export const listedPaths: readonly PathForm[] = [
  ...forms('scorepad', '/scorepad', 'listed'),
  { resource: 'bookletpage', operation: 'delete', method: 'DELETE', path: '/bookletpage/{id}', source: 'listed' },
  { resource: 'booklet', operation: 'delete', method: 'DELETE', path: '/booklet/{id}', source: 'listed' },
  { resource: 'coilbook', operation: 'delete', method: 'DELETE', path: '/coilbook/{id}', source: 'listed' },
  // This is also the path of a designer; the id decides (D32).
  {
    resource: 'designerassociate',
    operation: 'delete',
    method: 'DELETE',
    path: '/api/designer/{id}',
    source: 'listed',
  },
  { resource: 'gamedownload', operation: 'fetch', method: 'GET', path: '/api/download/{id}', source: 'listed' },
];

/** 404 until the web hook module exists. `{id}` of the list is the user's. */
export const webhookPaths: readonly PathForm[] = [
  ...forms('webhook', '/api/webhook'),
  { resource: 'webhook', operation: 'list', method: 'GET', path: '/api/user/{id}/webhooks', source: 'rule' },
  { resource: 'webhook', operation: 'test', method: 'POST', path: '/api/webhook/{id}/test', source: 'rule' },
];

/** Every path of the 14 resources, by resource and operation. */
export const paths: readonly PathForm[] = [...generalPaths, ...listedPaths];

/** Operations that require session_id (Authentication, rule 1); a fetch works without. */
export const sessionRequired: readonly Operation[] = ['create', 'update', 'delete'];

/** Success statuses of the plain profile (D02); in the wing profile all are 200. */
export const successStatus: Readonly<Record<Operation, number>> = { create: 201, fetch: 200, update: 200, delete: 200 };
/** The response to a delete, in both profiles, before the envelope. */
export const deleted = { success: 1 } as const;
