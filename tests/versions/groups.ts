// Groups the pairs of edits that callers of a version do not notice: as many as fit one state of the spec.

import { apiImpact } from '../../generator/impact/api.js';
import { catalogueImpact } from '../../generator/impact/catalogue.js';
import { compose } from '../../generator/versions/compose.js';
import { cut } from '../../generator/versions/shape.js';
import { viewOf } from '../../generator/versions/view.js';
import { memoize } from '../../runtime/contract/memoize.js';
import { BASE, edited, PAIRS, type Pair, type State, state, states, type Texts } from '../evolution/pairs.js';
import { VERSION } from './bench.js';

export interface Group {
  readonly names: readonly string[];
  readonly old: State;
  readonly now: State;
}

/** What callers of a version of the old state notice, as impact reports it. */
export function notices(old: State, now: State): readonly string[] {
  const view = viewOf(now.model, compose(cut(old.model, VERSION), now.model));
  const findings = [...apiImpact(old.model, view), ...catalogueImpact(old.model, view)];
  return findings.filter(({ breaking }) => breaking).map(({ message }) => message);
}

/** Safe edits that callers of a version see all the same, with the reason. */
export const SEEN: Readonly<Record<string, string>> = {
  'enum to text': 'what was refused is accepted',
  'title changed': 'sentences name a type by its title',
  'title, size and list of a row changed': 'titles and sizes are the current ones',
  'catalogue declared': 'what could not be called can be called',
  'an identity enters the catalogue': 'a row is added',
  'values of attributes changed': 'attributes are the current ones',
  'default of an attribute changed': 'attributes are the current ones',
  'attribute of the catalogue added': 'attributes are the current ones',
  'names of rows changed': 'titles and sizes are the current ones',
  'fewer hold a right that only administrators can use': 'wing shows who may edit now',
  'operation added': 'what could not be called can be called',
  'list of a reference added': 'what could not be called can be called',
  'field no longer unique': 'what was refused is accepted',
  'default added to an optional field': 'a default where there was none applies to earlier callers, too',
};

/** @param pairs the pairs whose edits are tried in turn, each in the first group that it fits */
export function groupsOf(pairs: readonly Pair[] = PAIRS): readonly Group[] {
  const groups: { pairs: Pair[]; old: State; now: State }[] = [];
  const base = state(STARTED, null);
  for (const pair of pairs.filter(isUnseen)) {
    const fitting = groups.find((group) => {
      const both = fitTogether([...group.pairs, pair], base);
      if (both !== null) Object.assign(group, both, { pairs: [...group.pairs, pair] });
      return both !== null;
    });
    const alone = fitting === undefined ? fitTogether([pair], base) : null;
    if (alone !== null) groups.push({ pairs: [pair], ...alone });
  }
  return groups.map(({ pairs: all, old, now }) => ({ names: all.map(({ name }) => name), old, now }));
}

/** Whether callers of a version see nothing of the edit. */
export const isUnseen = memoize((pair: Pair): boolean => {
  if (Object.hasOwn(SEEN, pair.name) || pair.api === 'exposing') return false;
  if (pair.api !== 'breaking') return true;
  const { old, new: now } = states(pair);
  return notices(old, now).length === 0;
});

/** The small spec with what a service needs to start. */
export const STARTED = edited(BASE, {
  'resources/file.yaml': [
    [
      '  content_hash:',
      '  access_key: { kind: text, from: random, view: nobody, description: Opens it. }\n  content_hash:',
    ],
  ],
});

/** @returns null if the edits do not fit together */
function fitTogether(pairs: readonly Pair[], base: State): { readonly old: State; readonly now: State } | null {
  try {
    const before = pairs.reduce((texts: Texts, pair) => (pair.before ? edited(texts, pair.before) : texts), STARTED);
    const after = pairs.reduce((texts: Texts, pair) => edited(texts, pair.edit), before);
    const old = state(before, base.ledger);
    return { old, now: state(after, old.ledger) };
  } catch {
    return null;
  }
}
