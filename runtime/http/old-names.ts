// Serves a type at the paths of its old names, too. A name that stands for an identity hides the records of other identities:
// create fills it in, lists are filtered by it, and another record is not_found.
import type { AnyDefinition } from '../contract/definition.js';
import { refusal, ServiceError } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import type { Call, Run } from '../operations/call.js';
import type { Records } from '../store/records.js';
import { prefixOf, prefixOfType } from './routes.js';

/** What the paths of an old name stand for. */
export interface OldName {
  readonly type: AnyDefinition;
  /** Null: any. */
  readonly identity: string | null;
}

/** By the prefix of their paths. */
export function oldNamesOf(definitions: readonly AnyDefinition[]): ReadonlyMap<string, OldName> {
  const all = new Map<string, OldName>();
  for (const type of definitions) {
    for (const [name, identity] of Object.entries(type.oldNames ?? {})) all.set(prefixOfType(name), { type, identity });
  }
  return all;
}

/** The path of a type's route at one of its old names. */
export function pathAtOldName(path: string, prefix: string): string {
  return prefix + path.slice(prefixOf(path).length);
}

interface RoutePlace {
  readonly operation: string;
  readonly path: string;
}

/** The operation of a route, for records of one identity alone. */
export function restrictToIdentity(store: Pick<Records, 'get'>, route: RoutePlace, identity: string, run: Run): Run {
  const { operation } = route;
  if (operation === 'options') return run;
  if (!route.path.includes('/{')) return (call) => run(withIdentity(call, identity));
  return (call) => {
    const { definition, id, caller } = call;
    const sent = operation === 'update' ? withIdentity(call, identity, false) : call;
    return chain(store.get(definition.name, id, caller), (lookup) => {
      // What the caller may not read is refused by the operation.
      if (lookup.found && !isOf(lookup.text, identity)) return missing(call);
      return run(sent);
    });
  };
}

function isOf(record: string, identity: string): boolean {
  return (JSON.parse(record) as { readonly identity?: unknown }).identity === identity;
}

function missing({ definition }: Call): never {
  throw refusal(definition, 'not_found');
}

function withIdentity(call: Call, identity: string, fill = true): Call {
  const sent = call.parameters.identity ?? null;
  if (sent !== null && sent !== identity) {
    const message = `identity is always ${identity} at this path.`;
    throw new ServiceError('invalid', message, [{ field: 'identity', code: 'invalid', message }]);
  }
  if (!fill || sent === identity) return call;
  return { ...call, parameters: Object.assign(Object.create(null), call.parameters, { identity }) };
}
