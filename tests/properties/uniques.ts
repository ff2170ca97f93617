// What no two records may share, alone or together; and values offered to choose from, under whatever path.

import type { Operation } from '../../runtime/definition.js';
import { columnOf, fieldsOf, policyOf } from './reading.js';
import { ANONYMOUS } from './service.js';
import {
  creating,
  current,
  METHODS,
  offers,
  pathOf,
  type Section,
  type Trial,
  text,
  updating,
  whoMay,
} from './trial.js';

export const uniques: Section = async (trial) => {
  const { facts, findings, world } = trial;
  const alone = Object.entries(facts.fields)
    .filter(([, { unique }]) => unique)
    .map(([name]) => [name]);
  for (const together of [...alone, ...(facts.unique ?? [])]) {
    if (!offers(trial, 'create')) return;
    const columns = together.map((field) => columnOf(facts, field));
    const [first, second] = [
      await world.make(facts.resource, world.owner, {}, 'all'),
      await world.make(facts.resource, world.owner, {}, 'all'),
    ];
    // Nothing is like nothing else; what nobody is shown cannot be sent again.
    const known = columns.filter((column) => column in first.values);
    if (known.length < columns.length) {
      trial.untested(`that no two have the same ${columns}`, 'an administrator does not see it');
      continue;
    }
    const told = columns.some((column) => first.values[column] === null) ? 'ok' : `${columns.at(-1)} not_unique`;
    const same = Object.fromEntries(columns.map((column) => [column, first.values[column]]));
    findings.outcome(`a second ${facts.resource} with the same ${columns}`, told, (await creating(trial, same)).said);
    if (!offers(trial, 'update')) continue;
    findings.outcome(
      `a ${facts.resource} changed to the same ${columns}`,
      told,
      (await updating(trial, second, same)).said,
    );
    findings.outcome(`a ${facts.resource} that keeps its ${columns}`, 'ok', (await updating(trial, first, same)).said);
  }
};

/** `_options` names the allowed values of every field that has them (D24). */
export const options: Section = async ({ facts, findings, world }) => {
  const listed = Object.entries(fieldsOf(facts)).flatMap(([name, { values, kind, read_only, from }]) =>
    values === undefined || kind === 'computed' || read_only || from !== undefined ? [] : [[name, values] as const],
  );
  const { said, body } = await world.service.ask(ANONYMOUS, 'GET', `/api/${facts.resource}/_options`);
  findings.outcome(
    `options of ${facts.resource}`,
    `ok ${sorted(Object.fromEntries(listed))}`,
    `${said} ${sorted(body)}`,
  );
};

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
    findings.outcome(probe, 'ok', (await world.service.ask(maker, 'POST', base, sent)).said);
    return;
  }
  const held = await world.make(facts.resource, world.owner);
  const sent = operation === 'update' ? current(facts, held) : undefined;
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
