// Values that no two records may share, alone or together; paths; and the values offered to choose from.

import type { Operation } from '../../runtime/contract/definition.js';
import type { Facts, FieldFacts } from './facts.js';
import { meets } from './lists.js';
import { columnOf, fieldsOf, type Parameter, parametersOf, policyOf } from './reading.js';
import type { HeldRights } from './rights.js';
import { ANONYMOUS, type Answer, type Person, type SentParameters } from './service.js';
import { uniqueSets, valueFor } from './supply.js';
import {
  again,
  creating,
  current,
  METHODS,
  offers,
  type PropertyTrial,
  pathOf,
  type Section,
  setter,
  text,
  updating,
  whoMay,
} from './trial.js';
import { sample } from './values.js';
import { Scarce } from './world.js';

export const uniques: Section = async (trial) => {
  if (!offers(trial, 'create')) return;
  for (const set of uniqueSets(trial.facts)) await tryAlike(trial, set);
};

/** A field with a named unique value gives a path that leads to the record as its id does. */
export const lookups: Section = async (trial) => {
  const { facts, findings, world } = trial;
  if (!offers(trial, 'create')) return;
  for (const [field, { unique: word }] of Object.entries(facts.fields)) {
    if (typeof word !== 'string') continue;
    const record = await valued(trial, field);
    if (record === null) {
      trial.untested(`the path by ${field}`, 'no record has a value');
      continue;
    }
    const path = `/api/${facts.resource}/${word}`;
    for (const person of [world.owner, world.stranger, world.admin, ANONYMOUS]) {
      const [by, own] = [`${path}/${encodeURIComponent(String(record.value))}`, pathOf(record.held)].map((one) =>
        world.service.ask(person, 'GET', `${one}?_include_relationships=1`),
      );
      const [expected, got] = [await own, await by];
      findings.outcome(
        `GET ${path} by the ${person.name}`,
        `${expected?.said} ${text(recordIn(expected))}`,
        `${got?.said} ${text(recordIn(got))}`,
      );
    }
    const none = await world.service.ask(world.admin, 'GET', `${path}/${encodeURIComponent(`none ${record.held.id}`)}`);
    findings.outcome(`GET ${path} of nothing`, 'not_found', none.said);
  }
};

function recordIn(answer: Answer | undefined): unknown {
  return answer?.said === 'ok' ? answer.body : null;
}

/** A record with a value in the field, which others may have to set; null: there is none. */
export async function valued(
  trial: PropertyTrial,
  field: string,
): Promise<{ held: HeldRights; value: unknown } | null> {
  const { facts, world } = trial;
  const parameter = parametersOf(facts).find((one) => one.field === field && one.role !== 'proof');
  const more = parameter && { [parameter.name]: await valueFor(world, facts, parameter, world.owner) };
  const held = await world.make(facts.resource, world.owner, more);
  const value = held.values[columnOf(facts, field)] ?? null;
  return value === null ? null : { held, value };
}

type UniqueSet = ReturnType<typeof uniqueSets>[number];

/** Tries to create a second record with the same values, and to change one to them. */
async function tryAlike(trial: PropertyTrial, set: UniqueSet): Promise<void> {
  const { facts, findings, world } = trial;
  const { fields: together, where = {} } = set;
  const columns = together.map((field) => columnOf(facts, field));
  const sendable = parametersOf(facts).filter((one) => one.field in where && one.role === 'value');
  const meeting = Object.fromEntries(sendable.map(({ name, field }) => [name, where[field]]));
  const first = await world.make(facts.resource, world.owner, meeting, 'all');
  // A value that is never shown cannot be sent again.
  if (columns.some((column) => !(column in first.values))) {
    return trial.untested(`that no two have the same ${columns}`, 'an administrator does not see it');
  }
  if (!meets(facts, where, first)) {
    return trial.untested(`that no two have the same ${columns}`, 'a new record does not meet the condition');
  }
  const outcomes = answersFor(facts, together, first);
  const again = typeof facts.operations?.create === 'object' ? ['ok'] : outcomes;
  const alone = Object.fromEntries(columns.map((column) => [column, first.values[column]]));
  const same = { ...alone, ...meeting };
  const by = parametersOf(facts).some(
    (one) => (together.includes(one.field) || one.field in where) && setter(trial, one),
  )
    ? world.admin
    : undefined;
  if (uniqueSets(facts).length === 1) await besides(trial, { parameters: sendable, where, same, by });
  const another = await evenIfScarce(again, creating(trial, same, by));
  findings.given(`no second ${facts.resource} with the same ${columns}`, again.includes(another.said), another.said);
  if (again !== outcomes && !columns.some((column) => first.values[column] === null)) {
    findings.outcome(`a second ${facts.resource} with the same ${columns}`, first.id, String(another.body.id));
  }
  if (!offers(trial, 'update')) return;
  const unchanged = await updating(trial, first, same, by);
  findings.outcome(`a ${facts.resource} that keeps its ${columns}`, 'ok', unchanged.said);
  const second = await world.make(facts.resource, world.owner, meeting, 'all');
  const changed = await evenIfScarce(outcomes, updating(trial, second, same, by));
  findings.given(`no ${facts.resource} changed to the same ${columns}`, outcomes.includes(changed.said), changed.said);
}

interface OutsideCondition {
  readonly parameters: readonly Parameter[];
  readonly where: NonNullable<UniqueSet['where']>;
  readonly same: SentParameters;
  readonly by: Person | undefined;
}

/** A record with the same values that does not meet the condition is allowed. */
async function besides(trial: PropertyTrial, { parameters, where, same, by }: OutsideCondition): Promise<void> {
  const { facts, findings } = trial;
  for (const { name, field, facts: stated } of parameters) {
    const value = where[field] ?? null;
    const other = unlike(stated, value);
    if (other === undefined) continue;
    const { said } = await creating(trial, { ...same, [name]: other }, by);
    findings.outcome(`a second ${facts.resource} with the same values where ${name} is not ${value}`, 'ok', said);
  }
}

/** A value that does not meet the condition; undefined: none is known. */
function unlike(field: FieldFacts, value: unknown): unknown {
  if (value === null) return sample(field);
  if (typeof value === 'boolean') return !value;
  return field.values?.find((one) => one !== value);
}

/**
 * The possible outcomes for a second record with the same values. The last column of a set is blamed; if sets have fields in
 * common, that of either. A set with a null forbids nothing, but a set inside it without a null still does.
 */
function answersFor(facts: Facts, together: readonly string[], first: HeldRights): readonly string[] {
  const isNull = (field: string) => first.values[columnOf(facts, field)] === null;
  const all = uniqueSets(facts).filter(({ where = {} }) => meets(facts, where, first));
  const sets = together.some(isNull)
    ? all.filter(({ fields }) => fields.every((field) => together.includes(field) && !isNull(field)))
    : all.filter(({ fields }) => fields.some((field) => together.includes(field)));
  return sets.length === 0 ? ['ok'] : sets.map(({ fields }) => `${columnOf(facts, fields.at(-1) ?? '')} not_unique`);
}

/** The answer, even if it was thrown because values are scarce, provided that it is an expected one. */
function evenIfScarce(expected: readonly string[], answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    if (error instanceof Scarce && expected.includes(error.answer.said)) return error.answer;
    throw error;
  });
}

/** `_options` names the allowed values of every field that has them (D24). */
export const options: Section = async ({ facts, findings, world }) => {
  const listed = Object.entries(fieldsOf(facts)).flatMap(([name, { values, kind, read_only, from }]) =>
    values === undefined || kind === 'computed' || read_only || from !== undefined ? [] : [[name, values] as const],
  );
  const { said, body } = await world.service.ask(ANONYMOUS, 'GET', `/api/${facts.resource}/_options`);
  const titled = listed.filter(([, values]) => values.every((value) => typeof value === 'string'));
  const titles = titled.map(([name, values]) => {
    const { attributes = {} } = fieldsOf(facts)[name] ?? {};
    return [`_${name}`, Object.fromEntries(values.map((value) => [value, attributes[value]?.title ?? words(value)]))];
  });
  const sized = Object.entries(facts.attributes ?? {}).flatMap(([value, { size }]) => (size ? [[value, size]] : []));
  const sizes = sized.length === 0 ? {} : { _sizes: Object.fromEntries(sized) };
  findings.outcome(
    `options of ${facts.resource}`,
    `ok ${sorted({ ...Object.fromEntries([...listed, ...titles]), ...sizes })}`,
    `${said} ${sorted(body)}`,
  );
};

/** Splits a name into words: a word begins with a capital, and a number after a small letter is a word too. */
export function words(value: string | number): string {
  let text = '';
  for (const letter of String(value).replaceAll('_', ' ')) {
    const [before = '', last = ''] = [text.at(-2), text.at(-1)];
    if (small(letter) && capital(last) && capital(before)) text = `${text.slice(0, -1)} ${last}`;
    const begins = capital(letter) ? small(last) || digit(last) : digit(letter) && small(last);
    text += begins ? ` ${letter}` : letter;
  }
  return text;
}

const small = (letter: string): boolean => /\p{Ll}/u.test(letter);
const capital = (letter: string): boolean => /\p{Lu}/u.test(letter);
const digit = (letter: string): boolean => /\p{N}/u.test(letter);

/** Every path that the descriptor gives to an operation leads to it (D32); operations that are not offered have no path. */
export const paths: Section = async (trial) => {
  const { facts } = trial;
  const own = `/api/${facts.resource}`;
  for (const operation of ['create', 'fetch', 'update', 'delete'] as const) {
    const bases = [own, ...(facts.paths?.all ?? []), ...(facts.paths?.[operation] ?? [])];
    for (const base of bases) await reach(trial, operation, base);
  }
};

async function reach(trial: PropertyTrial, operation: Operation, base: string): Promise<void> {
  const { facts, findings, world } = trial;
  const probe = `${METHODS[operation]} ${base}`;
  if (policyOf(facts, 'create') === null) return;
  if (operation === 'create') {
    if (policyOf(facts, 'create') === null || facts.upload !== undefined) return;
    const sent = await world.sent(facts.resource, world.owner);
    const maker = world.maker(facts.resource, world.owner, sent);
    const created = world.enough(facts, await world.service.ask(maker, 'POST', base, sent));
    findings.outcome(probe, 'ok', created.said);
    return;
  }
  const held = await world.make(facts.resource, world.owner);
  const sent = operation === 'update' ? { ...(await again(trial, held)), ...current(facts, held) } : undefined;
  const person = offers(trial, operation) ? whoMay(trial, operation, held) : world.admin;
  const { said } = await world.service.ask(person, METHODS[operation], `${base}/${held.id}`, sent);
  findings.outcome(probe, offers(trial, operation) ? 'ok' : 'method', said);
  if (operation !== 'delete' || said !== 'ok' || !offers(trial, 'fetch')) return;
  findings.outcome(
    `${facts.resource} after ${probe}`,
    'not_found',
    (await world.service.ask(world.admin, 'GET', pathOf(held))).said,
  );
  findings.outcome(`${probe} again`, 'not_found', (await world.service.ask(world.admin, 'DELETE', pathOf(held))).said);
}

function sorted(values: object): string {
  return text(Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))));
}
