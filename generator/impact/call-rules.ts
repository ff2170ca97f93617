// What a change of one operation means: added, removed, needs more, or has another list or action.

import { clausesOf, rightChange } from './access-rules.js';
import type { Call } from './calls.js';
import { found } from './parameter-rules.js';
import type { Found } from './report.js';
import { shown } from './schema-changes.js';
import { keyOf, type Side, type Sides } from './sides.js';

interface CallPair {
  readonly from: Call;
  readonly to: Call;
  readonly sides: Sides;
}

const WHO = ['anyone', 'a session', 'an administrator'] as const;

/** By the name under which a finding is told; both operations have one key and one resource. */
export const CALL_RULES: Readonly<Record<string, (pair: CallPair) => readonly Found[]>> = {
  operation_needs: ({ from, to }) =>
    from.needs === to.needs
      ? []
      : [found(to.needs > from.needs, `needs ${WHO[to.needs]}, previously ${WHO[from.needs]}`, from.needs, to.needs)],
  list_records: ({ from, to, sides }) => {
    const [old, now] = [sentence(from), sentence(to)];
    return sentence(from, sides.from) === sentence(to, sides.to)
      ? []
      : [found(true, `holds records whose ${now}, previously ${old}`, from.list, to.list)];
  },
  action_by: ({ from, to, sides }) => {
    if (from.action === undefined || to.action === undefined) return [];
    const clauses = (side: Sides['from'], by: string) => ({ ...side, clauses: clausesOf(side.resource, by) });
    // A right that keeps its name is told of once, where its clauses are compared.
    if (from.action.by === to.action.by) return [];
    const change = rightChange(clauses(sides.from, from.action.by), clauses(sides.to, to.action.by));
    return change.map((one) => ({ ...one, says: `open to ${one.says}` }));
  },
};

/** @param side where given, columns go by their numbers: a rename changes no record's place */
function sentence({ list }: Call, side?: Side): string {
  if (list === undefined) return '';
  const called = (name: string) => (side === undefined ? name : keyOf(side.resource, name));
  const where = Object.entries(list.where).map(([name, value]) => `${called(name)} is ${shown(value)}`);
  return [`${called(list.by)} is the id`, ...where.sort()].join(' and ');
}
