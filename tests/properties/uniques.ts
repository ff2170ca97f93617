// What no two records may share, alone or together; and values offered to choose from, under whatever path.

import type { Operation } from '../../runtime/contract/definition.js';
import type { Facts } from './facts.js';
import { columnOf, fieldsOf, parametersOf, policyOf } from './reading.js';
import { ANONYMOUS, type Answer } from './service.js';
import { uniqueSets } from './supply.js';
import {
  again,
  creating,
  current,
  METHODS,
  offers,
  pathOf,
  type Section,
  setter,
  type Trial,
  text,
  updating,
  whoMay,
} from './trial.js';
import { Scarce } from './world.js';

export const uniques: Section = async (trial) => {
  if (!offers(trial, 'create')) return;
  for (const together of uniqueSets(trial.facts)) await alike(trial, together);
};

/** Two records with the same values, one made so and one changed. */
async function alike(trial: Trial, together: readonly string[]): Promise<void> {
  const { facts, findings, world } = trial;
  const columns = together.map((field) => columnOf(facts, field));
  const first = await world.make(facts.resource, world.owner, {}, 'all');
  // Nothing is like nothing else; what nobody is shown cannot be sent again.
  if (columns.some((column) => !(column in first.values))) {
    return trial.untested(`that no two have the same ${columns}`, 'an administrator does not see it');
  }
  const told = answersFor(facts, together, first.values);
  const again = typeof facts.operations?.create === 'object' ? ['ok'] : told;
  const same = Object.fromEntries(columns.map((column) => [column, first.values[column]]));
  const by = parametersOf(facts).some((one) => together.includes(one.field) && setter(trial, one))
    ? world.admin
    : undefined;
  const another = await even(again, creating(trial, same, by));
  findings.given(`no second ${facts.resource} with the same ${columns}`, again.includes(another.said), another.said);
  if (again !== told && !columns.some((column) => first.values[column] === null)) {
    findings.outcome(`a second ${facts.resource} with the same ${columns}`, first.id, String(another.body.id));
  }
  if (!offers(trial, 'update')) return;
  const kept = await updating(trial, first, same, by);
  findings.outcome(`a ${facts.resource} that keeps its ${columns}`, 'ok', kept.said);
  const second = await world.make(facts.resource, world.owner, {}, 'all');
  const changed = await even(told, updating(trial, second, same, by));
  findings.given(`no ${facts.resource} changed to the same ${columns}`, told.includes(changed.said), changed.said);
}

/**
 * What a second record with the same values may be answered. The last column of a set is blamed; where sets have
 * fields in common, that of either. A set with a null forbids nothing, but a set without one inside it still does.
 */
function answersFor(
  facts: Facts,
  together: readonly string[],
  values: Readonly<Record<string, unknown>>,
): readonly string[] {
  const isNull = (field: string) => values[columnOf(facts, field)] === null;
  const sets = together.some(isNull)
    ? uniqueSets(facts).filter((set) => set.every((field) => together.includes(field) && !isNull(field)))
    : uniqueSets(facts).filter((set) => set.some((field) => together.includes(field)));
  return sets.length === 0 ? ['ok'] : sets.map((set) => `${columnOf(facts, set.at(-1) ?? '')} not_unique`);
}

/** The answer, also where values are scarce and it is the one that is looked for. */
function even(told: readonly string[], answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    if (error instanceof Scarce && told.includes(error.answer.said)) return error.answer;
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

/** A word begins with its capitals, and a number after a small letter is one, too. */
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

/** Every path that the descriptor gives an operation leads to the same (D32); what is not offered is not there. */
export const paths: Section = async (trial) => {
  const { facts } = trial;
  const own = `/api/${facts.resource}`;
  for (const operation of ['create', 'fetch', 'update', 'delete'] as const) {
    const bases = [own, ...(facts.paths?.all ?? []), ...(facts.paths?.[operation] ?? [])];
    for (const base of bases) await reached(trial, operation, base);
  }
};

async function reached(trial: Trial, operation: Operation, base: string): Promise<void> {
  const { facts, findings, world } = trial;
  const probe = `${METHODS[operation]} ${base}`;
  if (policyOf(facts, 'create') === null) return;
  if (operation === 'create') {
    if (policyOf(facts, 'create') === null || facts.upload !== undefined) return;
    const sent = await world.sent(facts.resource, world.owner);
    const maker = world.maker(facts.resource, world.owner, sent);
    const made = world.enough(facts, await world.service.ask(maker, 'POST', base, sent));
    findings.outcome(probe, 'ok', made.said);
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
