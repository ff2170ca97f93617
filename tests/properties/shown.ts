// What a new record shows: defaults, values that the service fills in or computes; and parameters that have no effect.
import { PNG } from '../files/samples.js';
import { listed, madeOf } from './made.js';
import { aggregateOf, type Parameter, type Property, parametersOf, propertiesOf, typeOf } from './reading.js';
import type { HeldRights } from './rights.js';
import { mark, type Person, type SentParameters } from './service.js';
import { seen, sees } from './sight.js';
import { acceptedBy } from './supply.js';
import { creating, offers, type PropertyTrial, type Section, setter, text } from './trial.js';
import { fallback, isLiteral, sample, shown } from './values.js';

export const newRecords: Section = async (trial) => {
  if (!offers(trial, 'create')) return;
  await asShown(trial, 'required');
  await asShown(trial, 'all');
  await withoutEffect(trial);
  await bySynonym(trial);
};

/** Every property of a new record, in the answer and when an administrator looks. */
async function asShown(trial: PropertyTrial, which: 'required' | 'all'): Promise<void> {
  const { world, facts, findings } = trial;
  const sent = await world.sent(facts.resource, world.owner, which);
  const maker = world.maker(facts.resource, world.owner, sent);
  const { said, body, status } = await world.create(maker, facts.resource, sent);
  const probe = `${facts.resource} made with ${which === 'all' ? 'everything' : 'the least'}`;
  findings.outcome(probe, 'ok', said);
  if (said !== 'ok') return;
  findings.outcome(`${probe}: status`, '201', String(status));
  const stored = await world.look({ resource: facts.resource, id: String(body.id), values: body });
  const answered = { ...stored, values: { ...stored.values, ...body } };
  findings.outcome(
    `${probe}: what is shown`,
    seen(world, maker, answered, true).join(),
    Object.keys(body).sort().join(),
  );
  for (const [name, constant] of Object.entries(typeOf(facts)))
    findings.outcome(`${probe}: ${name}`, constant, String(body[name]));
  placement(trial, stored, probe);
  for (const property of propertiesOf(facts)) {
    const values = sees(world, world.admin, { property, held: stored, created: false }) ? stored.values : body;
    if (!(property.name in values)) continue;
    expectValue(trial, { property, sent, maker, values, probe });
  }
}

/** The ids of all records of one owner start with the same two characters (D37). */
function placement({ world, facts, findings }: PropertyTrial, { id, values }: HeldRights, probe: string): void {
  const place = Object.entries(facts.fields).find(([, { place }]) => place);
  if (place === undefined) return;
  const target = String(values[`${place[0]}_id`] ?? world.owner.id);
  findings.outcome(`${probe}: placement`, target.slice(0, 2), id.slice(0, 2));
}

interface Value {
  readonly property: Property;
  readonly sent: SentParameters;
  readonly maker: Person;
  readonly values: SentParameters;
  readonly probe: string;
}

function expectValue(trial: PropertyTrial, value: Value): void {
  const { property, values, probe } = value;
  const { name, field, facts: words, role } = property;
  const label = `${probe}: ${name}`;
  const got = values[name];
  if (words.make !== undefined && role === 'id') {
    const id = String(got);
    trial.findings.given(label, id.length === 26 && id.slice(0, 2) === String(values.id).slice(0, 2), text(got));
  } else if (words.kind === 'token') {
    trial.findings.given(
      label,
      /^[\w-]+\.[\w-]{27}$/.test(String(got)) && String(got).startsWith(String(values.id)),
      text(got),
    );
  } else if (words.from === 'random') {
    trial.findings.given(label, typeof got === 'string' && got.length >= 16, text(got));
  } else if (
    words.text !== undefined &&
    [...words.text.matchAll(/\{(\w+)\}/g)].some(([, one = '']) => values[one] === null)
  ) {
    trial.findings.outcome(label, 'null', text(got));
  } else if (words.text !== undefined) {
    trial.findings.given(label, filled(words.text, values).test(String(got)), text(got));
  } else {
    const column = role === 'value' ? field : role === 'id' ? `${field}_id` : name;
    const wanted =
      role === 'brief'
        ? brief(trial, words.to, values[`${field}_id`])
        : words.kind === 'computed'
          ? computed(trial, value)
          : expected(trial, value, column);
    trial.findings.outcome(label, text(wanted), text(got));
  }
}

function expected({ world, facts }: PropertyTrial, { property, sent, maker }: Value, column: string): unknown {
  const { facts: words, role } = property;
  const given = sent[column];
  if (words.from?.startsWith('upload.')) return UPLOADED[words.from];
  if (words.from === 'session.user') return maker.id;
  if (given !== undefined) return role === 'value' ? shown(words, given) : given;
  if (words.default === 'session.user') return maker.id;
  if (role !== 'value') return role === 'proof' ? false : null;
  if (isLiteral(words)) return fallback(words);
  if (words.default === 'upload.name') return UPLOADED[words.default];
  const [reference = '', source = ''] = String((words.default as { copy?: unknown } | undefined)?.copy).split('.');
  const byDefault = facts.fields[reference]?.default === 'session.user' ? maker.id : undefined;
  return copied(world, sent[`${reference}_id`] ?? byDefault, source);
}

/** What is shown of the sample that uploads consist of. */
const UPLOADED: Readonly<Record<string, unknown>> = {
  'upload.name': 'sample',
  'upload.type': 'image/png',
  'upload.size': PNG.length,
  'upload.width': 1,
  'upload.height': 1,
};

/** A count starts at the number of records that are created with the record. */
function computed({ world, facts }: PropertyTrial, { property: { facts: words, name }, values }: Value): unknown {
  const aggregate = aggregateOf(words);
  if (aggregate !== null) {
    const list = listed(world, facts.resource, aggregate.list);
    const made = madeOf(facts, list).length;
    if (aggregate.key === 'count' && Object.keys(list?.where ?? {}).length === 0) return made;
    // Records that are created with it may be in the list or not: the section about lists looks at them.
    return made > 0 ? values[name] : aggregate.key === 'latest' ? null : 0;
  }
  const [first = '', second] = (words.copy ?? '').split('.');
  return second === undefined ? values[first] : copied(world, values[`${first}_id`], second);
}

/** Matches a text with properties in it, dates as days; a property that nobody sees is a secret. */
function filled(form: string, values: SentParameters): RegExp {
  const quoted = form.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const value = (name: string) =>
    name in values
      ? String(values[name])
          .replace(/^(\d{4}-\d\d-\d\d)T[\d:.]+Z$/, '$1')
          .replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')
      : '[\\w-]{16,}';
  return new RegExp(`^${quoted.replace(/\{(\w+)\}/g, (_, name: string) => value(name))}$`);
}

/** The value of the record with that id. */
function copied(world: PropertyTrial['world'], id: unknown, field: string): unknown {
  const record = world.project.resources
    .map(({ resource }) => world.record(resource, id))
    .find((held) => held !== undefined);
  return record?.values[field];
}

/** The short form in which a record, by default a file, is described (D25). */
function brief({ world }: PropertyTrial, to: string | undefined, id: unknown): unknown {
  const { resources } = world.project;
  const facts = to === undefined ? world.uploads : resources.find(({ resource }) => resource === to);
  const held = world.record(facts?.resource ?? '', id);
  return Object.fromEntries((facts?.brief ?? []).map((name) => [name, held?.values[name]]));
}

/** Parameters that callers cannot set change nothing, and are reported unless the descriptor ignores them (D19). */
async function withoutEffect(trial: PropertyTrial): Promise<void> {
  const { world, facts, findings } = trial;
  const known = new Set(parametersOf(facts).flatMap(({ name, synonyms }) => [name, ...synonyms]));
  const names = propertiesOf(facts)
    .map(({ name }) => name)
    .filter((name) => !known.has(name));
  const nothing = Object.fromEntries([...names, 'no_such_parameter'].map((name) => [name, 'x']));
  const silent = Object.fromEntries((facts.ignores ?? []).map((name) => [name, 'x']));
  const { said, ignored, body } = await creating(trial, { ...nothing, ...silent });
  findings.outcome(`${facts.resource} made with what has no effect`, 'ok', said);
  findings.outcome(
    `${facts.resource}: parameters told to have no effect`,
    Object.keys(nothing).sort().join(),
    [...ignored].sort().join(),
  );
  if (said !== 'ok') return;
  const { values } = await world.look({ resource: facts.resource, id: String(body.id), values: body });
  for (const name of names.filter((one) => values[one] === 'x'))
    findings.kept(`${facts.resource}.${name}`, false, 'set by a caller');
}

/** Sends a value under each synonym; next to the parameter's own name, it must be the same value (D30, D42). */
async function bySynonym(trial: PropertyTrial): Promise<void> {
  for (const parameter of parametersOf(trial.facts)) {
    for (const synonym of parameter.synonyms) await sendBy(trial, parameter, synonym);
  }
}

async function sendBy(trial: PropertyTrial, parameter: Parameter, synonym: string): Promise<void> {
  const { world, facts, findings } = trial;
  const { name, role } = parameter;
  const differing = `${name} invalid`;
  const ways = [
    ['ok', 'as', (value: unknown) => ({ [name]: undefined, [synonym]: value })],
    ['ok', 'with the same', (value: unknown) => ({ [name]: value, [synonym]: value })],
    [differing, 'with another', (value: unknown) => ({ [name]: value, [synonym]: 'x' })],
    [differing, 'behind another', (value: unknown) => ({ [synonym]: 'x', [name]: value })],
  ] as const;
  for (const [expected, how, sentWith] of ways) {
    const value = await anotherValue(trial, parameter);
    const probe = `${facts.resource}.${name} ${how} ${synonym}`;
    const { said, body } = await creating(trial, sentWith(value), setter(trial, parameter));
    findings.outcome(probe, expected, said);
    if (said !== 'ok') continue;
    const { values } = await world.look({ resource: facts.resource, id: String(body.id), values: body });
    if (name in values)
      findings.outcome(probe, text(role === 'value' ? shown(parameter.facts, value) : value), text(values[name]));
  }
}

/** A value that is not the default. */
async function anotherValue({ world }: PropertyTrial, parameter: Parameter): Promise<unknown> {
  const { facts: words, role } = parameter;
  if (role === 'value') return sample(words, mark());
  if (role === 'proof') return true;
  if (role === 'upload') return (await world.file(acceptedBy(world, words.types, words.kind)[0] ?? '', world.owner)).id;
  return (await world.target(parameter, world.owner)).id;
}
