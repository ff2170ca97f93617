// Old names of a type: its operations work at their paths too; a name that is an identity in lower case has only its records.

import type { Facts } from './facts.js';
import { listsOf, policyOf } from './reading.js';
import { ANONYMOUS } from './service.js';
import { again, current, METHODS, offers, type PropertyTrial, type Section, text, whoMay } from './trial.js';

/** Reduces many names to those at both ends and in the middle. */
function some(names: readonly string[]): readonly string[] {
  const at = [0, Math.floor(names.length / 2), names.length - 1];
  return names.filter((_, index) => at.includes(index));
}

export const oldNames: Section = async (trial) => {
  const { facts } = trial;
  const all = namesOf(facts);
  if (all.size === 0) return;
  if (!offers(trial, 'create') || facts.upload !== undefined) {
    return trial.untested('old names', 'records cannot be made at their paths');
  }
  for (const name of some([...all.keys()])) await atName(trial, name, all.get(name) ?? null);
};

/** The old names, each with the identity that it stands for. */
function namesOf({ old_names: names = [], identities = [] }: Facts): ReadonlyMap<string, string | null> {
  return new Map(names.map(({ name }) => [name, identities.find((one) => one.toLowerCase() === name) ?? null]));
}

async function atName(trial: PropertyTrial, name: string, identity: string | null): Promise<void> {
  const { world, facts, findings } = trial;
  const base = `/api/${name}`;
  const sent = await world.sent(facts.resource, world.owner);
  const { identity: _, ...rest } = sent;
  const maker = world.maker(facts.resource, world.owner, sent);
  const created = world.enough(facts, await world.service.ask(maker, 'POST', base, identity === null ? sent : rest));
  findings.outcome(`POST ${base}`, 'ok', created.said);
  if (created.said !== 'ok') return;
  const { id } = created.body as { readonly id: string };
  if (identity !== null) findings.outcome(`identity of POST ${base}`, text(identity), text(created.body.identity));
  if (offers(trial, 'fetch')) {
    const byType = await world.service.ask(world.admin, 'GET', `/api/${facts.resource}/${id}`);
    const old = await world.service.ask(world.admin, 'GET', `${base}/${id}`);
    findings.outcome(`GET ${base}/{id}`, `${byType.said} ${text(byType.body)}`, `${old.said} ${text(old.body)}`);
  }
  const options = await world.service.ask(ANONYMOUS, 'GET', `${base}/_options`);
  const ownOptions = await world.service.ask(ANONYMOUS, 'GET', `/api/${facts.resource}/_options`);
  findings.outcome(`GET ${base}/_options`, text(ownOptions.body), text(options.body));
  await lists(trial, base, id);
  await others(trial, base, identity);
}

/** The lists of the record are below the old name. */
async function lists({ world, facts, findings }: PropertyTrial, base: string, id: string): Promise<void> {
  const below = world.project.resources.flatMap((child) =>
    listsOf(child).filter((one) => one.parent === facts.resource),
  );
  for (const { name } of below.slice(0, 2)) {
    const { said } = await world.service.ask(world.admin, 'GET', `${base}/${id}/${name}`);
    findings.outcome(`GET ${base}/{id}/${name}`, 'ok', said);
  }
}

/** Records of another identity are not found at the old name. */
async function others(trial: PropertyTrial, base: string, identity: string | null): Promise<void> {
  const { world, facts, findings } = trial;
  const other = (facts.identities ?? []).find((one) => one !== identity);
  if (identity === null || other === undefined) return;
  const sent = await world.sent(facts.resource, world.owner);
  const maker = world.maker(facts.resource, world.owner, sent);
  const wrong = await world.service.ask(maker, 'POST', base, { ...sent, identity: other });
  findings.outcome(`POST ${base} with another identity`, 'identity invalid', wrong.said);
  const held = await world.make(facts.resource, world.owner, { identity: other });
  for (const operation of ['fetch', 'update', 'delete'] as const) {
    if (policyOf(facts, operation) === null) continue;
    const body = operation === 'update' ? { ...(await again(trial, held)), ...current(facts, held) } : {};
    const { identity: _, ...rest } = body as { readonly identity?: unknown };
    const method = METHODS[operation];
    const answer = await world.service.ask(whoMay(trial, operation, held), method, `${base}/${held.id}`, rest);
    findings.outcome(`${method} ${base} of another identity`, 'not_found', answer.said);
  }
}
