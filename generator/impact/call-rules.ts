// Rules for a change of one operation: who may call it, which records a list holds, who may run an action.

import { SEARCH_PARAMETERS } from '../../runtime/schema/text-words.js';
import type { Action } from '../model/model.js';
import { clausesOf, rightChange } from './access-rules.js';
import { difference } from './parameter-rules.js';
import type { Difference } from './report.js';
import { valueText } from './schema-changes.js';
import { type Call, keyOf, type ResourceSide, type Sides } from './sides.js';

interface CallPair {
  readonly from: Call;
  readonly to: Call;
  readonly sides: Sides;
}

const WHO = ['anyone', 'a session', 'an administrator'] as const;

/** Keyed by the rule name that a finding reports; both operations have the same key and resource. */
export const CALL_RULES: Readonly<Record<string, (pair: CallPair) => readonly Difference[]>> = {
  operation_needs: ({ from, to }) =>
    from.needs === to.needs
      ? []
      : [
          {
            ...difference(
              to.needs > from.needs,
              `needs ${WHO[to.needs]}, previously ${WHO[from.needs]}`,
              from.needs,
              to.needs,
            ),
            exposing: to.needs < from.needs,
          },
        ],
  list_records: ({ from, to, sides }) => {
    const [old, now] = [condition(from), condition(to)];
    return condition(from, sides.from) === condition(to, sides.to)
      ? []
      : [difference(true, `holds records whose ${now}, previously ${old}`, from.list, to.list)];
  },
  list_search: searches,
  action_by: ({ from, to, sides }) => {
    if (from.action === undefined || to.action === undefined) return [];
    const clauses = (side: Sides['from'], by: string) => ({ ...side, clauses: clausesOf(side.resource, by) });
    // A change of a right that keeps its name is reported once, where its clauses are compared.
    if (from.action.by === to.action.by) return [];
    const change = rightChange(clauses(sides.from, from.action.by), clauses(sides.to, to.action.by));
    return change.map((one) => ({ ...one, message: `open to ${one.message}` }));
  },
  action_effect: ({ from, to, sides }) => {
    if (from.action === undefined || to.action === undefined) return [];
    if (effect(from.action, sides.from) === effect(to.action, sides.to)) return [];
    const [old, now] = [effect(from.action), effect(to.action)];
    return [difference(true, `${now}, previously it ${old}`, old, now)];
  },
};

/** A search that covers fewer texts finds fewer records. A renamed text counts as the same text. */
function searches({ from, to, sides }: CallPair): readonly Difference[] {
  const [old = [], now = []] = [from.whole?.search, to.whole?.search];
  const [name] = SEARCH_PARAMETERS;
  if (old.length === 0 && now.length === 0) return [];
  if (old.length === 0) return [difference(false, `can be searched by ${name} in ${valueText(now)}`, null, now)];
  if (now.length === 0) return [difference(true, `can no longer be searched by ${name}`, old, null)];
  const keys = ({ resource }: ResourceSide, names: readonly string[]) => names.map((one) => keyOf(resource, one));
  const [before, after] = [keys(sides.from, old), keys(sides.to, now)];
  const removed = old.filter((_, at) => !after.includes(before[at] ?? ''));
  const added = now.filter((_, at) => !before.includes(after[at] ?? ''));
  return [
    ...removed.map((one) => difference(true, `${name} no longer looks in ${one}`, one, null)),
    ...added.map((one) => difference(false, `${name} also looks in ${one}`, null, one)),
  ];
}

/** What an action does according to its descriptor. @param side as for conditions */
function effect({ sets, copies }: Action, side?: ResourceSide): string {
  if (copies !== null) return 'copies the record';
  if (sets === null) return 'does what its function does';
  const nameOf = (name: string) => (side === undefined ? name : keyOf(side.resource, name));
  const values = Object.entries(sets).map(([name, value]) => `${nameOf(name)} to ${valueText(value)}`);
  return `sets ${values.sort().join(' and ')}`;
}

/** @param side if given, columns are identified by number, so that a rename changes nothing */
function condition({ list, whole }: Call, side?: ResourceSide): string {
  const conditions = Object.entries(list?.where ?? whole?.where ?? {});
  const nameOf = (name: string) => (side === undefined ? name : keyOf(side.resource, name));
  const where = conditions.map(([name, value]) => `${nameOf(name)} is ${valueText(value)}`);
  if (list === undefined) return where.sort().join(' and ');
  const of = list.through === undefined ? '' : ` of a ${list.through.resource} whose ${list.through.by}`;
  return [`${nameOf(list.by)} is the id${of}`, ...where.sort()].join(' and ');
}
