// Each parameter alone: values at every limit are accepted, those one step outside refused, and missing or empty ones reported.
import type { FieldFacts } from './facts.js';
import { checkedByModule } from './modules.js';
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
  await everythingWrong(trial);
};

/** All that is wrong is reported together (D03). */
async function everythingWrong(trial: PropertyTrial): Promise<void> {
  const { facts, findings } = trial;
  const wrong = parametersOf(facts).flatMap((parameter) => {
    const [first] = parameter.facts.set === undefined ? wrongValues(parameter) : [];
    return first === undefined ? [] : [{ name: parameter.name, ...first }];
  });
  if (facts.upload !== undefined || wrong.length === 0) return;
  const sent = Object.fromEntries(wrong.map(({ name, value }) => [name, value]));
  const expected = wrong.map(({ name, code }) => `${name} ${code}`).sort();
  const { said } = await creating(trial, sent);
  findings.outcome(`create of a ${facts.resource} with everything wrong`, expected.join(', '), said);
}

async function refusals(trial: PropertyTrial, parameter: Parameter, held: HeldRights): Promise<void> {
  const { findings, facts } = trial;
  const by = setter(trial, parameter);
  for (const { value, code } of wrongValues(parameter)) {
    const sent = { [parameter.name]: value };
    const expected = `${parameter.name} ${code}`;
    const probe = `${facts.resource}.${parameter.name} = ${short(value)}`;
    // A form only has texts.
    if (facts.upload === undefined || typeof value === 'string') {
      findings.outcome(`create with ${probe}`, expected, (await creating(trial, sent, by)).said);
    }
    if (!offers(trial, 'update')) continue;
    findings.outcome(`update with ${probe}`, expected, (await updating(trial, held, sent, by)).said);
  }
}

function wrongValues({ role, facts }: Parameter): readonly RefusedValue[] {
  if (role === 'value') return refused(facts);
  if (role === 'proof') return [{ value: 'maybe', code: 'invalid' }];
  return [7, ['a', 'b'], 'x'.repeat(65)].map((value) => ({ value, code: 'invalid' }));
}

/** A required parameter cannot be left out or emptied; an optional one goes back to its default. */
async function missing(trial: PropertyTrial, parameter: Parameter, held: HeldRights): Promise<void> {
  const { findings, facts, world } = trial;
  const { name, required, facts: field, role } = parameter;
  const by = setter(trial, parameter);
  const emptied = field.kind === 'text' && role === 'value' ? [null, undefined] : [null, '', undefined];
  const emptiedText = required && field.kind === 'text' && role === 'value' ? [''] : [];
  const outcome = required ? `${name} required` : 'ok';
  const isCheckedByModule = checkedByModule(facts, name) !== null;
  const skipped = !required && (isCheckedByModule || facts.principal);
  // Two records without the parameter would have the same default.
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
  if (isCheckedByModule) return;
  if (role === 'reference' && field.place) return void (await emptiedPlace(trial, parameter, held));
  if (!isLiteral(field)) return;
  // Sets another value than the default first.
  if (role === 'value' && !required) await updating(trial, held, { [name]: sample(field, mark()) }, by);
  const { said } = await updating(trial, held, { [name]: null }, by);
  const stays = required || (isWanted(facts, parameter) && !isNullable(parameter));
  findings.outcome(`update with ${facts.resource}.${name} emptied`, stays ? `${name} required` : 'ok', said);
  if (stays || !isShown(trial, name)) return;
  const expected = role === 'value' ? fallback(field) : role === 'proof' ? false : null;
  const now = await world.look(held);
  findings.outcome(`${facts.resource}.${name} emptied`, text(expected), text(now.values[name]));
}

/** The owner of a record cannot be emptied: the reference stays, or is required. */
async function emptiedPlace(trial: PropertyTrial, parameter: Parameter, held: HeldRights): Promise<void> {
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
  const reason = checkedByModule(facts, name);
  if (reason !== null) {
    trial.untested(`values of ${name}`, reason);
    return words.kind === 'text' ? notInvalid(trial, parameter, taken(words)) : undefined;
  }
  if (words.kind === 'json' && namesRecords(words)) await notInvalid(trial, parameter, taken(words));
  const newMark = () => (isAlone(world, facts, field) ? mark() : '');
  if (facts.principal) trial.untested('values at limits on create', 'each would hash a password; updates take them');
  const marked = newMark() === '' || words.kind === 'text' || words.kind === 'url';
  // A value that cannot be marked exists once: a second record cannot have it.
  const operations = (['create', 'update'] as const).filter(
    (operation) => marked || operation === 'update' || !offers(trial, 'update'),
  );
  for (let at = 0; at < taken(words, newMark()).length; at++) {
    for (const operation of operations) {
      if (policyOf(facts, operation) === null || (facts.principal && operation === 'create')) continue;
      const value = await withIds(world, taken(words, newMark())[at], world.owner);
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

/** Whether the JSON of the field contains ids. */
export function namesRecords({ schema }: FieldFacts): boolean {
  return /_id"/.test(text(schema ?? {}));
}

/** Whether an administrator sees the property at any time. */
function isShown({ facts }: PropertyTrial, name: string): boolean {
  const match = propertiesOf(facts).find((property) => property.name === name);
  return match !== undefined && match.view !== 'created' && match.view !== 'nobody';
}

function short(value: unknown): string {
  const whole = text(value);
  return whole.length > 60 ? `${whole.slice(0, 40)}… (${whole.length})` : whole;
}
