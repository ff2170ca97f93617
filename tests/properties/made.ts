// Records that are created with others (D40): they have the declared values and the same owner, and last as long as the others.
import type { Facts } from './facts.js';
import { type ListFacts, listsOf, policyOf } from './reading.js';
import { offers, pathOf, type Section, text, whoMay } from './trial.js';
import { shown } from './values.js';
import type { World } from './world.js';

/** The fields of a resource that create records of one of its lists. */
export function madeOf(facts: Facts, list: ListedRecord | undefined): readonly string[] {
  const isBack = list?.child.fields[list.by]?.place === true;
  return Object.entries(facts.fields).flatMap(([field, { make, to }]) =>
    make !== undefined && isBack && to === list?.child.resource ? [field] : [],
  );
}

interface ListedRecord {
  readonly child: Facts;
  /** The reference that ties the items to the parent. */
  readonly by: string;
  readonly where: ListFacts['where'];
}

/** The records that a list of a resource holds. */
export function listed({ project }: World, parent: string, name: string): ListedRecord | undefined {
  const all = project.resources.flatMap((child) => listsOf(child).map((list) => ({ ...list, child })));
  return all.find((list) => list.parent === parent && list.name === name);
}

export const madeRecords: Section = async (trial) => {
  const { world, facts, findings } = trial;
  const makings = Object.entries(facts.fields).filter(([, { make }]) => make !== undefined);
  if (makings.length === 0 || !offers(trial, 'create')) return;
  const held = await world.make(facts.resource, world.owner);
  for (const [field, { make = {}, to = '' }] of makings) {
    const target = world.facts(to);
    const created = (await world.madeWith(held)).find(
      ({ resource, id }) => resource === to && held.values[`${field}_id`] === id,
    );
    if (created === undefined) continue;
    const back = Object.keys(target.fields).find((name) => target.fields[name]?.place);
    findings.outcome(`${to} made with ${facts.resource}: ${back}`, text(held.id), text(created.values[`${back}_id`]));
    for (const [name, value] of Object.entries(make)) {
      const words = target.fields[name];
      if (words === undefined || !(name in created.values)) continue;
      findings.outcome(
        `${to} made with ${facts.resource}: ${name}`,
        text(shown(words, value)),
        text(created.values[name]),
      );
    }
    if (policyOf(target, 'delete') === null) continue;
    const alone = await world.service.ask(world.admin, 'DELETE', pathOf(created));
    findings.outcome(`deletion of ${to} before its ${facts.resource}`, 'conflict', alone.said);
  }
  if (!offers(trial, 'delete')) return;
  const deletion = await world.service.ask(whoMay(trial, 'delete', held), 'DELETE', pathOf(held));
  findings.outcome(`deletion of ${facts.resource} with what was made with it`, 'ok', deletion.said);
};
