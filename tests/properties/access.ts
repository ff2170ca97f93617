// Rights: every person tries every operation on a record of the owner, and sees exactly the permitted properties.

import { population } from './population.js';
import { type Parameter, parametersOf, policyOf } from './reading.js';
import { creates } from './references.js';
import { clausesOf, type HeldRights, isPrincipal } from './rights.js';
import { ANONYMOUS, mark, type Person, type SentParameters } from './service.js';
import { admitted, outcomeOf, seen } from './sight.js';
import { isAlone, valueFor } from './supply.js';
import { current, METHODS, offers, type PropertyTrial, pathOf, type Section, updating } from './trial.js';
import { sample } from './values.js';

export const access: Section = async (trial) => {
  const { world, facts } = trial;
  for (const person of [ANONYMOUS, world.owner, world.admin]) await tryMissing(trial, person);
  if (!offers(trial, 'create')) return trial.untested('access', 'nobody can make one');
  for (const more of variants(trial)) {
    const held = await ownRecord(trial, more);
    const people = await population(trial, held);
    const everybody = facts.principal ? [...people, await world.service.login('self', held.id)] : people;
    for (const person of everybody) {
      if (trial.findings.done) return;
      await tryFetch(trial, person, held);
      await tryUpdate(trial, person, held);
      await tryDelete(trial, person, more);
    }
    if (Object.keys(more).length > 0) continue;
    for (const person of people) await tryCreate(trial, person);
  }
};

/** Both values of each boolean field that a right depends on. */
function variants({ facts }: PropertyTrial): readonly SentParameters[] {
  const clauses = Object.keys(facts.access).flatMap((right) => clausesOf(facts.access, right));
  const booleans = clauses.filter(
    (clause) => typeof clause === 'string' && facts.fields[clause]?.kind === 'boolean',
  ) as string[];
  return [{}, ...booleans.flatMap((name) => [{ [name]: true }, { [name]: false }])];
}

/** A caller who may not even start gets that refusal for a missing record too (D14). */
async function tryMissing({ world, facts, findings }: PropertyTrial, person: Person): Promise<void> {
  for (const operation of ['fetch', 'update', 'delete'] as const) {
    const policy = policyOf(facts, operation);
    const expected = policy === null ? 'method' : (admitted(policy, person) ?? 'not_found');
    const { said } = await world.service.ask(person, METHODS[operation], `/api/${facts.resource}/nobody`);
    findings.outcome(`${operation} of a ${facts.resource} that is not there by the ${person.name}`, expected, said);
  }
}

function ownRecord({ world, facts }: PropertyTrial, more: SentParameters): Promise<HeldRights> {
  return world.make(facts.resource, world.owner, more, 'all');
}

async function tryFetch({ world, facts, findings }: PropertyTrial, person: Person, held: HeldRights): Promise<void> {
  const probe = `fetch of a ${facts.resource} by the ${person.name}`;
  const { said, body } = await world.service.ask(person, 'GET', pathOf(held));
  findings.outcome(probe, outcomeOf(world, person, 'fetch', held), said);
  if (said === 'ok')
    findings.outcome(`${probe}: what is shown`, seen(world, person, held).join(), Object.keys(body).sort().join());
}

async function tryUpdate(trial: PropertyTrial, person: Person, held: HeldRights): Promise<void> {
  const { world, facts, findings } = trial;
  const probe = `update of a ${facts.resource} by the ${person.name}`;
  const { said, body } = await updating(trial, held, harmless(trial, held), person);
  findings.outcome(probe, outcomeOf(world, person, 'update', held), said);
  if (said === 'ok')
    findings.outcome(`${probe}: what is shown`, seen(world, person, held).join(), Object.keys(body).sort().join());
  if (!offers(trial, 'update')) return;
  await tryPasswords(trial, person, held);
  for (const parameter of parametersOf(facts).filter(({ facts: { set } }) => set === 'admin')) {
    const { name } = parameter;
    const sent = { [name]: held.values[name] ?? (await valueFor(world, facts, parameter, world.owner)) };
    const may = outcomeOf(world, person, 'update', held);
    const expected = may === 'ok' && !person.admin ? `${name} forbidden` : may;
    findings.outcome(
      `update of ${facts.resource}.${name} by the ${person.name}`,
      expected,
      (await updating(trial, held, sent, person)).said,
    );
  }
}

/** D47: only administrators change a password without the old one. */
async function tryPasswords(trial: PropertyTrial, person: Person, held: HeldRights): Promise<void> {
  const { world, facts, findings } = trial;
  if (person.admin) return;
  const passwords = parametersOf(facts).filter(
    ({ required, facts: { kind, set } }) => kind === 'password' && set !== 'admin' && required,
  );
  for (const { name, facts: words } of passwords) {
    for (const [old, code] of [
      [undefined, 'required'],
      ['this is not the present one', 'invalid'],
    ] as const) {
      const may = outcomeOf(world, person, 'update', held);
      const { said } = await updating(trial, held, { [name]: sample(words), [`old_${name}`]: old }, person);
      const probe = `update of ${facts.resource}.${name} by the ${person.name}, the old one ${code}`;
      findings.outcome(probe, may === 'ok' ? `old_${name} ${code}` : may, said);
    }
  }
}

/** The parameters that everybody who may update may send, with their current values. */
function harmless({ world, facts }: PropertyTrial, held: HeldRights): SentParameters {
  const known = current(facts, held);
  const free = parametersOf(facts).filter(({ facts: { set, kind } }) => set === undefined && kind !== 'password');
  const other = ({ field, facts: words }: Parameter) => sample(words, isAlone(world, facts, field) ? mark() : '');
  const values = free.map((parameter) => [
    parameter.name,
    known[parameter.name] ?? (parameter.role === 'value' ? other(parameter) : undefined),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

async function tryDelete(trial: PropertyTrial, person: Person, more: SentParameters): Promise<void> {
  const { world, facts, findings } = trial;
  const held = await world.make(facts.resource, world.owner, more);
  const { said } = await world.service.ask(person, 'DELETE', pathOf(held));
  findings.outcome(
    `deletion of a ${facts.resource} by the ${person.name}`,
    outcomeOf(world, person, 'delete', held),
    said,
  );
  if (!offers(trial, 'fetch')) return;
  const after = await world.service.ask(world.admin, 'GET', pathOf(held));
  findings.outcome(
    `${facts.resource} after its deletion by the ${person.name}`,
    said === 'ok' ? 'not_found' : 'ok',
    after.said,
  );
}

/** Creates records below those of the owner, and in the owner's name. */
async function tryCreate(trial: PropertyTrial, person: Person): Promise<void> {
  const { world, facts, findings } = trial;
  if (facts.served_by !== undefined && person.admin) {
    return trial.untested(
      'creates by administrators',
      `what ${facts.served_by} asks of whoever is named is its own affair`,
    );
  }
  const place = Object.entries(facts.fields).find(
    ([, { place: is, to, read_only }]) => is && !read_only && isPrincipal(world, to),
  );
  const whose = place === undefined ? {} : { [`${place[0]}_id`]: world.owner.id };
  for (const more of place === undefined ? [{}] : [{}, whose]) {
    const sent = { ...(await world.sent(facts.resource, world.owner)), ...more };
    const expected = creates(trial, person, sent);
    const probe = `create of a ${facts.resource} ${Object.keys(more).length > 0 ? "in the owner's name " : ''}by the ${person.name}`;
    findings.outcome(probe, expected, (await world.create(person, facts.resource, sent)).said);
  }
  for (const parameter of parametersOf(facts).filter(({ facts: { set } }) => set === 'admin')) {
    const { name } = parameter;
    const value = await valueFor(world, facts, parameter, world.owner);
    const sent = { ...(await world.sent(facts.resource, world.owner)), [name]: value };
    const expected = creates(trial, person, sent);
    findings.outcome(
      `create with ${facts.resource}.${name} by the ${person.name}`,
      expected,
      (await world.create(person, facts.resource, sent)).said,
    );
  }
}
