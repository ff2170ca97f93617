// API keys, web hooks and sessions remember the version of the request that creates them (D68). It is the version of later requests
// that name none, and of a hook's messages.

import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { ShowMessage } from '../../store/outbox.js';
import type { Change, Records } from '../../store/records.js';
import { HTTP_PARTS } from '../optional-parts.js';
import { isVersion, type NameContext, noVersion, type VersionSource } from './versions.js';

/** The field of keys and hooks that holds the version. */
const REMEMBERED = 'api_version';
/** Its value where none is remembered. */
const DEFAULT = 'default';

/** @returns the store, which fills in the version when it creates a record of these resources, and refuses a version that does not exist */
export function remembering(store: Records, resources: readonly AnyDefinition[], source: VersionSource): Records {
  const names = resources.flatMap(({ name, parameters }) => (Object.hasOwn(parameters, REMEMBERED) ? [name] : []));
  const checked = (change: Change): Change => {
    const { [REMEMBERED]: version = DEFAULT } = change.input;
    if (version === DEFAULT || version === null || isVersion(source, version)) return change;
    const message = `${REMEMBERED}: ${noVersion(source, String(version))}`;
    return { ...change, failures: [...change.failures, { field: REMEMBERED, code: 'reference_not_found', message }] };
  };
  const named = (change: Change): Change => {
    const { input, caller } = change;
    const version = input[REMEMBERED] ?? caller.version ?? source.standard ?? undefined;
    return checked({ ...change, input: { ...input, ...(version !== undefined && { [REMEMBERED]: version }) } });
  };
  return Object.assign(Object.create(store) as Records, {
    create: (change: Change) => store.create(names.includes(change.resource) ? named(change) : change),
    update: (id: string, change: Change) =>
      store.update(id, names.includes(change.resource) ? checked(change) : change),
  });
}

/** @param hook the resource of web hooks @returns undefined: there are no versions */
export function messagesIn(
  source: VersionSource,
  hook: AnyDefinition | undefined,
  context: NameContext,
): ShowMessage | undefined {
  if (Object.keys(source.dates).length === 0 || hook === undefined) return undefined;
  const recordsOf = memoize((date: string) => HTTP_PARTS.versionAnswers().recordsIn(source.table(date), context));
  return (message, version, record) => {
    const date = version === DEFAULT ? (source.standard ?? '') : version;
    // A hook of the newest version gets the message as it is, and so does one whose version was dropped.
    if (!Object.hasOwn(source.dates, date)) return message;
    const show = recordsOf(date);
    const { payload, ...names } = message;
    const { owner_class, event } = { ...names, ...JSON.parse(show(hook.name, JSON.stringify(names))) };
    return { owner_class, event, payload: record === undefined ? payload : show(record, payload) };
  };
}
