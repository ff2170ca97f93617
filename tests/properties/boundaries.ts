// Each parameter alone: at every limit it is taken, one step outside it is refused, missing or emptied it is told.
import type { FieldFacts } from './facts.js';
import { judgedByModule } from './modules.js';
import { isNullable, isWanted, type Parameter, parametersOf, policyOf, propertiesOf } from './reading.js';
import type { HeldRights } from './rights.js';
import { mark } from './service.js';
import { hasToDiffer, isAlone, withIds } from './supply.js';
import { creating, offers, type PropertyTrial, type Section, setter, text, updating } from './trial.js';
import { fallback, isLiteral, type RefusedValue, refused, sample, shown, taken } from './values.js';

export const boundaries: Section = async (trial) => {
  const { world, facts } = trial;
  if (!offers(trial, 'create')) return trial.untested('values', 'nobody can make one');
  const held = await world.make(facts.resource, world.owner);
  for (const parameter of parametersOf(facts)) {
    if (trial.findings.done) return;
    await refusals(trial, parameter, held);
    await missing(trial, parameter, held);
    await acceptances(trial, parameter, held);
  }
  await together(trial);
};

/** Whatever is wrong is told at once (D03). */
async function together(trial: PropertyTrial): Promise<void> {
  const { facts, findings } = trial;
  const wrong = parametersOf(facts).flatMap((one) => {
    const [first] = one.facts.set === undefined ? wrongValues(one) : [];
    return first === undefined ? [] : [{ name: one.name, ...first }];
  });
  if (facts.upload !== undefined || wrong.length === 0) return;
  const sent = Object.fromEntries(wrong.map(({ name, value }) => [name, value]));
  const told = wrong.map(({ name, code }) => `${name} ${code}`).sort();
  const { said } = await creating(trial, sent);
  findings.outcome(`create of a ${facts.resource} with everything wrong`, told.join(', '), said);
}

async function refusals(trial: PropertyTrial, parameter: Parameter, held: HeldRights): Promise<void> {
  const { findings, facts } = trial;
  const by = setter(trial, parameter);
  for (const { value, code } of wrongValues(parameter)) {
    const sent = { [parameter.name]: value };
    const told = `${parameter.name} ${code}`;
    const probe = `${facts.resource}.${parameter.name} = ${short(value)}`;
    // A form knows texts alone.
    if (facts.upload === undefined || typeof value === 'string') {
      findings.outcome(`create with ${probe}`, told, (await creating(trial, sent, by)).said);
    }
    if (!offers(trial, 'update')) continue;
    findings.outcome(`update with ${probe}`, told, (await updating(trial, held, sent, by)).said);
  }
}

function wrongValues({ role, facts }: Parameter): readonly RefusedValue[] {
  if (role === 'value') return refused(facts);
  if (role === 'proof') return [{ value: 'maybe', code: 'invalid' }];
  return [7, ['a', 'b'], 'x'.repeat(65)].map((value) => ({ value, code: 'invalid' }));
}

/** Required is required, and stays so; what is optional goes back to what it is without a word. */
async function missing(trial: PropertyTrial, parameter: Parameter, held: HeldRights): Promise<void> {
  const { findings, facts, world } = trial;
  const { name, required, facts: field, role } = parameter;
  const by = setter(trial, parameter);
  const emptied = field.kind === 'text' && role === 'value' ? [null, undefined] : [null, '', undefined];
  const emptiedText = required && field.kind === 'text' && role === 'value' ? [''] : [];
  const outcome = required ? `${name} required` : 'ok';
  const judged = judgedByModule(facts, name) !== null;
  const skipped = !required && (judged || facts.principal);
  // Two records without it would have the same default.
  const same = hasToDiffer(world, facts, parameter);
  if (same) trial.untested(`a ${facts.resource} without ${name}`, 'no two may have its default');
  const values = facts.upload !== undefined ? [undefined] : skipped || same ? [] : [...emptied, ...emptiedText];
  for (const value of values) {
    const { said } = await creating(trial, { [name]: value }, by);
    findings.outcome(
      `create with ${facts.resource}.${name} ${value === undefined ? 'missing' : short(value)}`,
      outcome,
      said,
    );
  }
  if (!offers(trial, 'update')) return;
  if (isWanted(facts, parameter)) {
    const { said } = await updating(trial, held, { [name]: undefined }, by);
    findings.outcome(`update with ${facts.resource}.${name} missing`, `${name} required`, said);
  }
  if (judged) return;
  if (role === 'reference' && field.place) return void (await unplaced(trial, parameter, held));
  if (!isLiteral(field)) return;
  // From another value than the one it goes back to.
  if (role === 'value' && !required) await updating(trial, held, { [name]: sample(field, mark()) }, by);
  const { said } = await updating(trial, held, { [name]: null }, by);
  const stays = required || (isWanted(facts, parameter) && !isNullable(parameter));
  findings.outcome(`update with ${facts.resource}.${name} emptied`, stays ? `${name} required` : 'ok', said);
  if (stays || !isShown(trial, name)) return;
  const expected = role === 'value' ? fallback(field) : role === 'proof' ? false : null;
  const now = await world.look(held);
  findings.outcome(`${facts.resource}.${name} emptied`, text(expected), text(now.values[name]));
}

/** Whose a record is cannot be emptied: it stays, or is required. */
async function unplaced(trial: PropertyTrial, parameter: Parameter, held: HeldRights): Promise<void> {
  const { name, required } = parameter;
  const { said } = await updating(trial, held, { [name]: null }, setter(trial, parameter));
  trial.findings.outcome(
    `update with ${trial.facts.resource}.${name} emptied`,
    required || isWanted(trial.facts, parameter) ? `${name} required` : 'ok',
    said,
  );
  if (!isShown(trial, name)) return;
  const { values } = await trial.world.look(held);
  trial.findings.outcome(`${trial.facts.resource}.${name} emptied`, text(held.values[name]), text(values[name]));
}

async function acceptances(trial: PropertyTrial, parameter: Parameter, held: HeldRights): Promise<void> {
  const { findings, facts, world } = trial;
  const { name, role, field, facts: words } = parameter;
  if (role !== 'value') return;
  const by = setter(trial, parameter);
  const reason = judgedByModule(facts, name);
  if (reason !== null) {
    trial.untested(`values of ${name}`, reason);
    return words.kind === 'text' ? notInvalid(trial, parameter, taken(words)) : undefined;
  }
  if (words.kind === 'json' && namesRecords(words)) await notInvalid(trial, parameter, taken(words));
  const of = () => (isAlone(world, facts, field) ? mark() : '');
  if (facts.principal) trial.untested('values at limits on create', 'each would hash a password; updates take them');
  const marked = of() === '' || words.kind === 'text' || words.kind === 'url';
  // What cannot be marked is there once: a second record cannot have it.
  const operations = (['create', 'update'] as const).filter(
    (one) => marked || one === 'update' || !offers(trial, 'update'),
  );
  for (let at = 0; at < taken(words, of()).length; at++) {
    for (const operation of operations) {
      if (policyOf(facts, operation) === null || (facts.principal && operation === 'create')) continue;
      const value = await withIds(world, taken(words, of())[at], world.owner);
      const sent = { [name]: value };
      const { said, body } = await (operation === 'create'
        ? creating(trial, sent, by)
        : updating(trial, held, sent, by));
      const probe = `${operation} with ${facts.resource}.${name} = ${short(value)}`;
      findings.outcome(probe, 'ok', said);
      if (said !== 'ok' || !isShown(trial, name)) continue;
      const { values } = await world.look(
        operation === 'create' ? { resource: facts.resource, id: String(body.id), values: body } : held,
      );
      findings.outcome(`${probe}, shown`, text(shown(words, value)), text(values[name]));
    }
  }
}

/** Values within the limits that hand-written code may still refuse for another reason. */
async function notInvalid(trial: PropertyTrial, parameter: Parameter, values: readonly unknown[]): Promise<void> {
  const { facts, findings } = trial;
  for (const value of values) {
    const { said } = await creating(trial, { [parameter.name]: value }, setter(trial, parameter));
    findings.given(
      `${facts.resource}.${parameter.name} = ${short(value)} is valid`,
      said !== `${parameter.name} invalid`,
      said,
    );
  }
}

/** JSON with ids in it. */
export function namesRecords({ schema }: FieldFacts): boolean {
  return /_id"/.test(text(schema ?? {}));
}

/** Whether an administrator sees it at any time. */
function isShown({ facts }: PropertyTrial, name: string): boolean {
  const found = propertiesOf(facts).find((property) => property.name === name);
  return found !== undefined && found.view !== 'created' && found.view !== 'nobody';
}

function short(value: unknown): string {
  const whole = text(value);
  return whole.length > 60 ? `${whole.slice(0, 40)}… (${whole.length})` : whole;
}
