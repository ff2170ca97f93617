// What a fetch adds on request: the records that a record refers to (D21), and relationships (D22). These are the paths of the
// record itself, of the records and files (but not images) that it refers to, and of all its lists.
import type { Facts } from './facts.js';
import { type ListFacts, listsOf, onwardListsOf, policyOf, propertiesOf } from './reading.js';
import type { HeldRights } from './rights.js';
import { ANONYMOUS, type Person } from './service.js';
import { offers, type PropertyTrial, pathOf, type Section, text } from './trial.js';
import type { World } from './world.js';

export const relationships: Section = async (trial) => {
  const { world, facts } = trial;
  if (!offers(trial, 'create')) return trial.untested('related objects and relationships', 'nobody can create it');
  const held = await world.make(facts.resource, world.owner, {}, 'all');
  await checkRelationships(trial, held);
  for (const person of [world.owner, world.admin, ANONYMOUS]) await checkRelatedObjects(trial, held, person);
  // The relationships of a parent include its lists.
  for (const { parent, by } of onePerParent(listsOf(facts))) {
    const record = world.record(parent, held.values[`${by}_id`]);
    if (record === undefined || record.resource === facts.resource) continue;
    await checkRelationships(trial, await world.look(record));
  }
};

function onePerParent(lists: readonly ListFacts[]): readonly ListFacts[] {
  return [...new Map(lists.map((list) => [list.parent, list])).values()];
}

async function checkRelationships({ world, findings, untested }: PropertyTrial, held: HeldRights): Promise<void> {
  const facts = world.facts(held.resource);
  if (policyOf(facts, 'fetch') === null) return untested(`relationships of a ${held.resource}`, 'nobody can fetch it');
  const path = pathOf(held);
  const { said, body } = await world.service.ask(world.admin, 'GET', path, { _include_relationships: 1 });
  const lists = listNames(world, facts).map((name) => [name, `${path}/${name}`] as const);
  const expected = { self: path, ...targets(world, facts, held), ...Object.fromEntries(lists) };
  const shown: Readonly<Record<string, unknown>> = Object(body._relationships);
  findings.outcome(
    `relationships of a ${held.resource}`,
    `ok ${text(missingFrom(shown, expected))}`,
    `${said} ${text(missingFrom(expected, shown))}`,
  );
}

/** Each related object is the record as the person can fetch it; it is missing if they cannot. */
async function checkRelatedObjects(
  { world, facts, findings }: PropertyTrial,
  held: HeldRights,
  person: Person,
): Promise<void> {
  const { said, body } = await world.service.ask(person, 'GET', pathOf(held), { _include_related_objects: 1 });
  if (said !== 'ok') return;
  for (const [field, { kind, to, describe }] of Object.entries(facts.fields)) {
    if (kind !== 'reference' || describe) continue;
    const id = body[`${field}_id`];
    const related = typeof id === 'string' ? await world.service.ask(person, 'GET', `/api/${to}/${id}`) : null;
    findings.outcome(
      `${field} of a ${facts.resource} for the ${person.name}`,
      text(related?.said === 'ok' ? related.body : undefined),
      text(body[field]),
    );
  }
}

/** The members of `all` that `other` does not have; a finding with all lists of a game would be unreadable. */
function missingFrom(other: Readonly<Record<string, unknown>>, all: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => other[name] !== value));
}

/** The paths of the records that a record refers to, by relation. */
function targets(world: World, facts: Facts, { values }: HeldRights): Readonly<Record<string, string>> {
  const shown = propertiesOf(facts).filter(({ role, view }) => role === 'id' && view !== 'nobody');
  const set = shown.flatMap(({ name, field, facts: { kind, to = world.uploads?.resource } }) =>
    kind !== 'image' && typeof values[name] === 'string' ? [[field, `/api/${to}/${values[name]}`] as const] : [],
  );
  return Object.fromEntries(set);
}

/** The lists that the references of all resources add to a record of this one, and the list of the records that use an upload. */
function listNames({ project }: World, { resource, upload }: Facts): readonly string[] {
  const names = project.resources.flatMap((child) => [
    ...listsOf(child).flatMap(({ name, parent }) => (parent === resource ? [name] : [])),
    ...onwardListsOf(child).flatMap(({ name, by, through }) => {
      const target = project.resources.find((one) => one.resource === child.fields[by]?.to);
      return target?.fields[through]?.to === resource ? [name] : [];
    }),
  ]);
  return upload?.uses === undefined ? names : [...names, upload.uses];
}
