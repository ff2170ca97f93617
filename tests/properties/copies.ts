// Copies of a record (D55): they have all values that callers may send, and copies of all records that editors made below it.
import type { Facts, FieldFacts } from './facts.js';
import { columnOf, fieldsOf, listsOf, type Property, policyOf, propertiesOf } from './reading.js';
import type { HeldRights } from './rights.js';
import { type PropertyTrial, pathOf, text } from './trial.js';
import { fallback, isLiteral } from './values.js';

/** The length of a text by default (spec/README.md). */
const LONGEST = 255;
const ENDING = ' (Copy)';

/** The parameter of an action that copies: the name of the copy, which is optional. */
export function nameOfCopy(facts: Facts, field: string): Readonly<Record<string, FieldFacts>> {
  const { kind, required, min = 0, max } = fieldsOf(facts)[field] as FieldFacts;
  return { [field]: { kind, min: required ? Math.max(1, min) : min, ...(max === undefined ? {} : { max }) } };
}

/** Copies a record with everything that can refer to it, after its other actions have set their fields. */
export async function copying(trial: PropertyTrial, action: string, name: string): Promise<void> {
  const { world, facts, findings } = trial;
  const record = await world.make(facts.resource, world.owner, {}, 'all');
  const below = await makeBelow(trial, facts, record);
  for (const [other, { sets }] of Object.entries(facts.actions)) {
    if (sets !== undefined) await world.service.ask(world.admin, 'POST', `${pathOf(record)}/${other}`, {});
  }
  const original = await world.look(record);
  const { said, status, body } = await world.service.ask(world.admin, 'POST', `${pathOf(original)}/${action}`, {});
  findings.outcome(`${action} of a ${facts.resource}`, 'ok 201', `${said} ${status}`);
  if (said !== 'ok') return;
  const copy = await world.look({ resource: facts.resource, id: String(body.id), values: body });
  const originalName = original.values[name];
  if (typeof originalName === 'string')
    findings.outcome(`${name} of the copy`, withEnding(facts, name, originalName), String(copy.values[name]));
  compare(trial, { original, copy, own: [name] });
  for (const one of below) await compareBelow(trial, one, copy);
}

function withEnding(facts: Facts, name: string, value: string): string {
  const { max = LONGEST } = fieldsOf(facts)[name] ?? {};
  return [...[...value].slice(0, Math.max(0, max - ENDING.length)), ...ENDING].slice(0, max).join('');
}

/** A record that refers to the original. */
interface Below {
  readonly held: HeldRights;
  readonly by: string;
  /** Whether copying the original copies this record too. */
  readonly goesAlong: boolean;
  readonly below: readonly Below[];
}

async function makeBelow(
  { world }: PropertyTrial,
  { resource: to }: Facts,
  target: HeldRights,
): Promise<readonly Below[]> {
  const all: Below[] = [];
  for (const part of world.project.resources.filter(({ served_by }) => served_by === undefined)) {
    const by = Object.keys(part.fields).find((name) => part.fields[name]?.place && part.fields[name]?.to === to);
    if (by === undefined || part.resource === to || policyOf(part, 'create') === null) continue;
    const held = await world.make(part.resource, world.owner, { [`${by}_id`]: target.id }, 'all');
    all.push({ held, by, goesAlong: isPart(part, by), below: await makeBelow({ world } as PropertyTrial, part, held) });
  }
  return all;
}

function isPart(part: Facts, by: string): boolean {
  const { on_delete = 'restrict', need = 'edit' } = part.fields[by] ?? {};
  const isTheirs = need === 'edit' && policyOf(part, 'create') !== 'admin';
  return on_delete === 'cascade' && isTheirs && part.upload === undefined;
}

/** The only record below the copy equals that below the original, or there is none. */
async function compareBelow(
  trial: PropertyTrial,
  { held, by, goesAlong, below }: Below,
  copy: HeldRights,
): Promise<void> {
  const { world, findings } = trial;
  const part = world.facts(held.resource);
  const list = listsOf(part).find((one) => one.by === by && Object.keys(one.where).length === 0);
  if (list === undefined) return trial.untested(`that a copy takes along its ${part.resource}`, 'nothing lists them');
  const { said, body } = await world.service.ask(world.admin, 'GET', `${pathOf(copy)}/${list.name}`);
  const items = (body.items ?? []) as readonly HeldRights['values'][];
  findings.outcome(`${list.name} of the copy`, `ok ${goesAlong ? 1 : 0}`, `${said} ${items.length}`);
  const [values] = items;
  if (values === undefined || !goesAlong) return;
  const other = await world.look({ resource: held.resource, id: String(values.id), values });
  findings.outcome(`${by}_id of the ${part.resource}`, copy.id, String(other.values[columnOf(part, by)]));
  compare(trial, { original: held, copy: other, own: [by] });
  for (const one of below) await compareBelow(trial, one, other);
}

interface Pair {
  readonly original: HeldRights;
  readonly copy: HeldRights;
  /** Fields of which the copy has its own value. */
  readonly own: readonly string[];
}

function compare({ world, findings }: PropertyTrial, { original, copy, own }: Pair): void {
  const facts = world.facts(original.resource);
  findings.given(`the copy of the ${facts.resource}`, original.id !== copy.id, 'is the original');
  for (const property of propertiesOf(facts)) {
    const { name, field, facts: words } = property;
    if (own.includes(field) || words.kind === 'computed' || !(name in copy.values)) continue;
    const got = text(copy.values[name]);
    if (words.from === 'random') findings.given(`${name} of the copy`, got !== text(original.values[name]), got);
    else findings.outcome(`${facts.resource}.${name} of the copy`, text(expected(facts, property, original)), got);
  }
}

/** A copy gets the defaults of the fields that an action sets and of those that callers cannot send. */
function expected(facts: Facts, { name, field, role, facts: words }: Property, { values }: HeldRights): unknown {
  const isSet = Object.values(facts.actions).some(({ sets, undo }) => field in { ...sets, ...undo });
  const isKept = words.required === true || (!isSet && (role !== 'value' || !words.read_only) && words.set !== 'admin');
  if (isKept) return values[name];
  if (role !== 'value') return role === 'proof' ? false : null;
  return isLiteral(words) ? fallback(words) : null;
}
