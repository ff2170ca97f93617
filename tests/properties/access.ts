// Who may do what: everybody by every operation on a record of the owner's, and every property each of them sees.

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
  for (const person of [ANONYMOUS, world.owner, world.admin]) await absent(trial, person);
  if (!offers(trial, 'create')) return trial.untested('access', 'nobody can make one');
  for (const more of variants(trial)) {
    const held = await ownRecord(trial, more);
    const people = await population(trial, held);
    const everybody = facts.principal ? [...people, await world.service.login('self', held.id)] : people;
    for (const person of everybody) {
      if (trial.findings.done) return;
      await fetching(trial, person, held);
      await changing(trial, person, held);
      await deleting(trial, person, more);
    }
    if (Object.keys(more).length > 0) continue;
    for (const person of people) await making(trial, person);
  }
};

/** With each boolean field that a right hangs on, both ways. */
function variants({ facts }: PropertyTrial): readonly SentParameters[] {
  const clauses = Object.keys(facts.access).flatMap((right) => clausesOf(facts.access, right));
  const booleans = clauses.filter(
    (one) => typeof one === 'string' && facts.fields[one]?.kind === 'boolean',
  ) as string[];
  return [{}, ...booleans.flatMap((name) => [{ [name]: true }, { [name]: false }])];
}

/** Who may not even start is told so of what is not there, too (D14). */
async function absent({ world, facts, findings }: PropertyTrial, person: Person): Promise<void> {
  for (const operation of ['fetch', 'update', 'delete'] as const) {
    const policy = policyOf(facts, operation);
    const told = policy === null ? 'method' : (admitted(policy, person) ?? 'not_found');
    const { said } = await world.service.ask(person, METHODS[operation], `/api/${facts.resource}/nobody`);
    findings.outcome(`${operation} of a ${facts.resource} that is not there by the ${person.name}`, told, said);
  }
}

function ownRecord({ world, facts }: PropertyTrial, more: SentParameters): Promise<HeldRights> {
  return world.make(facts.resource, world.owner, more, 'all');
}

async function fetching({ world, facts, findings }: PropertyTrial, person: Person, held: HeldRights): Promise<void> {
  const probe = `fetch of a ${facts.resource} by the ${person.name}`;
  const { said, body } = await world.service.ask(person, 'GET', pathOf(held));
  findings.outcome(probe, outcomeOf(world, person, 'fetch', held), said);
  if (said === 'ok')
    findings.outcome(`${probe}: what is shown`, seen(world, person, held).join(), Object.keys(body).sort().join());
}

async function changing(trial: PropertyTrial, person: Person, held: HeldRights): Promise<void> {
  const { world, facts, findings } = trial;
  const probe = `update of a ${facts.resource} by the ${person.name}`;
  const { said, body } = await updating(trial, held, harmless(trial, held), person);
  findings.outcome(probe, outcomeOf(world, person, 'update', held), said);
  if (said === 'ok')
    findings.outcome(`${probe}: what is shown`, seen(world, person, held).join(), Object.keys(body).sort().join());
  if (!offers(trial, 'update')) return;
  await changingPasswords(trial, person, held);
  for (const parameter of parametersOf(facts).filter(({ facts: { set } }) => set === 'admin')) {
    const { name } = parameter;
    const sent = { [name]: held.values[name] ?? (await valueFor(world, facts, parameter, world.owner)) };
    const may = outcomeOf(world, person, 'update', held);
    const told = may === 'ok' && !person.admin ? `${name} forbidden` : may;
    findings.outcome(
      `update of ${facts.resource}.${name} by the ${person.name}`,
      told,
      (await updating(trial, held, sent, person)).said,
    );
  }
}

/** D47: without the old password, or with a wrong one, none but administrators change it. */
async function changingPasswords(trial: PropertyTrial, person: Person, held: HeldRights): Promise<void> {
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

/** Every parameter that anyone who may update may send, with the value it has. */
function harmless({ world, facts }: PropertyTrial, held: HeldRights): SentParameters {
  const known = current(facts, held);
  const free = parametersOf(facts).filter(({ facts: { set, kind } }) => set === undefined && kind !== 'password');
  const other = ({ field, facts: words }: Parameter) => sample(words, isAlone(world, facts, field) ? mark() : '');
  const values = free.map((one) => [one.name, known[one.name] ?? (one.role === 'value' ? other(one) : undefined)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

async function deleting(trial: PropertyTrial, person: Person, more: SentParameters): Promise<void> {
  const { world, facts, findings } = trial;
  const held = await world.make(facts.resource, world.owner, more);
  const { said } = await world.service.ask(person, 'DELETE', pathOf(held));
  findings.outcome(
    `deletion of a ${facts.resource} by the ${person.name}`,
    outcomeOf(world, person, 'delete', held),
    said,
  );
  if (!offers(trial, 'fetch')) return;
  const left = await world.service.ask(world.admin, 'GET', pathOf(held));
  findings.outcome(
    `${facts.resource} after its deletion by the ${person.name}`,
    said === 'ok' ? 'not_found' : 'ok',
    left.said,
  );
}

/** Under the owner's records, and in the owner's name. */
async function making(trial: PropertyTrial, person: Person): Promise<void> {
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
    const told = creates(trial, person, sent);
    const probe = `create of a ${facts.resource} ${Object.keys(more).length > 0 ? "in the owner's name " : ''}by the ${person.name}`;
    findings.outcome(probe, told, (await world.create(person, facts.resource, sent)).said);
  }
  for (const parameter of parametersOf(facts).filter(({ facts: { set } }) => set === 'admin')) {
    const { name } = parameter;
    const value = await valueFor(world, facts, parameter, world.owner);
    const sent = { ...(await world.sent(facts.resource, world.owner)), [name]: value };
    const told = creates(trial, person, sent);
    findings.outcome(
      `create with ${facts.resource}.${name} by the ${person.name}`,
      told,
      (await world.create(person, facts.resource, sent)).said,
    );
  }
}
