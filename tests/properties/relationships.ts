// What a fetch adds on request: the records that a record refers to (D21), and its relationships (D22): its own path, those of
// the records that it refers to (not of its images), and those of all its lists.
import type { Facts } from './facts.js';
import { type ListFacts, listsOf, onwardListsOf, policyOf, propertiesOf } from './reading.js';
import type { HeldRights } from './rights.js';
import { ANONYMOUS, type Person } from './service.js';
import { offers, type PropertyTrial, pathOf, type Section, text } from './trial.js';
import type { World } from './world.js';

export const relationships: Section = async (trial) => {
  const { world, facts } = trial;
  if (!offers(trial, 'create')) return trial.untested('relationships', 'nobody can make it');
  const held = await world.make(facts.resource, world.owner, {}, 'all');
  await look(trial, held);
  for (const person of [world.owner, world.admin, ANONYMOUS]) await lookAtObjects(trial, held, person);
  // The record of a list names it, too.
  for (const { parent, by } of onePerParent(listsOf(facts))) {
    const record = world.record(parent, held.values[`${by}_id`]);
    if (record !== undefined && record.resource !== facts.resource) await look(trial, await world.look(record));
  }
};

function onePerParent(lists: readonly ListFacts[]): readonly ListFacts[] {
  return [...new Map(lists.map((list) => [list.parent, list])).values()];
}

async function look({ world, findings, untested }: PropertyTrial, held: HeldRights): Promise<void> {
  const facts = world.facts(held.resource);
  if (policyOf(facts, 'fetch') === null) return untested(`relationships of a ${held.resource}`, 'nobody can fetch it');
  const path = pathOf(held);
  const { said, body } = await world.service.ask(world.admin, 'GET', path, { _include_relationships: 1 });
  const lists = listNames(world, facts).map((name) => [name, `${path}/${name}`] as const);
  const expected = { self: path, ...targets(world, facts, held), ...Object.fromEntries(lists) };
  const shown: Readonly<Record<string, unknown>> = Object(body._relationships);
  findings.outcome(
    `relationships of a ${held.resource}`,
    `ok ${text(missingIn(shown, expected))}`,
    `${said} ${text(missingIn(expected, shown))}`,
  );
}

/** Each related object is the record as the person can fetch it, and is left out where they cannot. */
async function lookAtObjects(
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

/** The members that differ in the other object: a game has hundreds of lists. */
function missingIn(other: Readonly<Record<string, unknown>>, members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => other[name] !== value));
}

/** The paths of the records that it refers to, by relation. */
function targets(world: World, facts: Facts, { values }: HeldRights): Readonly<Record<string, string>> {
  const shown = propertiesOf(facts).filter(({ role, view }) => role === 'id' && view !== 'nobody');
  const set = shown.flatMap(({ name, field, facts: { kind, to = world.uploads?.resource } }) =>
    kind !== 'image' && typeof values[name] === 'string' ? [[field, `/api/${to}/${values[name]}`] as const] : [],
  );
  return Object.fromEntries(set);
}

/** The lists that any resource adds to the records of this one, and that of the records that use an upload. */
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
