// What a change of one operation means: it comes, it goes, it needs more, its list or action is another.

import { clausesOf, rightChange } from './access-rules.js';
import type { Call } from './calls.js';
import { found } from './parameter-rules.js';
import type { Found } from './report.js';
import { shown } from './schema-changes.js';
import type { Sides } from './sides.js';

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
      : [found(to.needs > from.needs, `needs ${WHO[to.needs]}, before ${WHO[from.needs]}`, from.needs, to.needs)],
  list_records: ({ from, to }) => {
    const [old, now] = [conditions(from), conditions(to)];
    return old === now ? [] : [found(true, `holds records whose ${now}, before ${old}`, old, now)];
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

function conditions({ list }: Call): string {
  if (list === undefined) return '';
  return [
    `${list.by} is the id`,
    ...Object.entries(list.where).map(([name, value]) => `${name} is ${shown(value)}`),
  ].join(' and ');
}
