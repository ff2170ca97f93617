// References to a missing record, to a stranger's, to another owner's and to the wrong type of file; and what deletions leave.
import { databaseOf, isOnPostgres } from '../support/database.js';
import type { FieldFacts } from './facts.js';
import { checkedByModule } from './modules.js';
import { isUpload, type Parameter, parametersOf, policyOf, wantsAll } from './reading.js';
import { clausesOf, type HeldRights, holds, isPrincipal } from './rights.js';
import type { Person, SentParameters } from './service.js';
import { admitted } from './sight.js';
import { acceptedBy, needOf } from './supply.js';
import { creating, offers, type PropertyTrial, pathOf, type Section, setter, text, updating } from './trial.js';
import { FILES } from './world.js';

export const references: Section = async (trial) => {
  const { facts } = trial;
  if (!offers(trial, 'create')) return;
  const parameters = parametersOf(facts);
  const files = parameters.some(({ role }) => role === 'upload') ? await fileOfEachType(trial) : new Map();
  for (const parameter of parameters) {
    if (parameter.role !== 'reference' && parameter.role !== 'upload') continue;
    await toNothing(trial, parameter);
    if (parameter.role === 'upload') await toFiles(trial, parameter, files);
    else {
      await toStrangers(trial, parameter);
      await toOpened(trial, parameter);
    }
  }
};

async function toNothing(trial: PropertyTrial, parameter: Parameter): Promise<void> {
  const { facts, findings, world } = trial;
  const { name } = parameter;
  const expected = `${name} reference_not_found`;
  const by = setter(trial, parameter);
  const probe = `${facts.resource} whose ${name} is of no record`;
  findings.outcome(`create a ${probe}`, expected, (await creating(trial, { [name]: 'nobody' }, by)).said);
  if (!offers(trial, 'update')) return;
  const held = await world.make(facts.resource, world.owner);
  findings.outcome(`update a ${probe}`, expected, (await updating(trial, held, { [name]: 'nobody' }, by)).said);
}

/** Naming a stranger's record requires a right; an administrator has it, but may not mix owners (D16, D37). */
async function toStrangers(trial: PropertyTrial, parameter: Parameter): Promise<void> {
  const { facts, findings, world } = trial;
  const { name, facts: words } = parameter;
  if (checkedByModule(facts, name) !== null)
    return trial.untested(`whose ${name} can be`, checkedByModule(facts, name) ?? '');
  const theirs = () => world.target(parameter, world.stranger);
  for (const person of [world.owner, world.admin]) {
    let target = await theirs();
    const sent = { ...(await fresh(trial, person)), [name]: target.id };
    const locked = words.set === 'admin' && !person.admin;
    const right = locked ? 'forbidden' : mayUse(trial, person, parameter, target);
    const mixed = words.inside && !words.place ? `${name} conflict` : 'ok';
    const start = policyOf(facts, 'create') === 'admin' && !person.admin ? 'forbidden' : null;
    const probe = `${facts.resource} with the stranger's ${name} by the ${person.name}`;
    const code = right === 'ok' ? mixed : `${name} ${right}`;
    const torn = words.place && right === 'ok' ? besides(trial, sent, name) : [];
    const blamed = [...others(trial, person, sent, name), ...torn, ...(code === 'ok' ? [] : [code])];
    const outcome = start ?? (blamed.length === 0 ? 'ok' : blamed.sort().join(', '));
    findings.outcome(`create a ${probe}`, outcome, (await world.create(person, facts.resource, sent)).said);
    if (!offers(trial, 'update')) continue;
    target = await theirs();
    const held = await world.make(facts.resource, world.owner);
    const editing = person.admin || (policyOf(facts, 'update') !== 'admin' && holds(world, person, 'edit', held));
    const moved = words.place || words.inside ? `${name} conflict` : 'ok';
    const unseen = facts.hidden && !holds(world, person, 'read', held);
    const changed = !editing ? (unseen ? 'not_found' : 'forbidden') : right === 'ok' ? moved : `${name} ${right}`;
    findings.outcome(`update a ${probe}`, changed, (await updating(trial, held, { [name]: target.id }, person)).said);
  }
}

/** Refers to a stranger's record that a flag opens to everybody, if the right that the reference needs has such a clause. */
async function toOpened(trial: PropertyTrial, parameter: Parameter): Promise<void> {
  const { facts, findings, world } = trial;
  const { name, facts: words } = parameter;
  const { access, fields } = world.facts(words.to ?? '');
  const flag = clausesOf(access, needOf(world, parameter)).find(
    (clause) => typeof clause === 'string' && fields[clause]?.kind === 'boolean',
  );
  if (flag === undefined || words.inside || words.set === 'admin' || policyOf(facts, 'create') === 'admin') return;
  const target = await world.target(parameter, world.stranger);
  const { said } = await world.service.ask(world.admin, 'PUT', pathOf(target), { [String(flag)]: true });
  if (said !== 'ok') return trial.untested(`${name} of an opened record`, said);
  const sent = { ...(await fresh(trial, world.owner)), [name]: target.id };
  const right = mayUse(trial, world.owner, parameter, await world.look(target));
  const blamed = [...others(trial, world.owner, sent, name), ...(right === 'ok' ? [] : [`${name} ${right}`])];
  findings.outcome(
    `create a ${facts.resource} with the stranger's ${name} whose ${flag} is set`,
    blamed.length === 0 ? 'ok' : blamed.sort().join(', '),
    (await world.create(world.owner, facts.resource, sent)).said,
  );
}

/** The parameters of a create; an administrator names the owner. */
async function fresh({ world, facts }: PropertyTrial, person: Person): Promise<SentParameters> {
  const place = Object.entries(facts.fields).find(
    ([, { place: is, to, read_only }]) => is && !read_only && isPrincipal(world, to),
  );
  const ownerParameter = place === undefined || !person.admin ? {} : { [`${place[0]}_id`]: world.owner.id };
  return { ...ownerParameter, ...(await world.sent(facts.resource, world.owner)) };
}

/** The expected outcome of a create. */
export function creates(trial: PropertyTrial, person: Person, sent: SentParameters): string {
  const { facts } = trial;
  const policy = policyOf(facts, 'create');
  const refused = policy === null ? 'method' : admitted(policy, person);
  if (refused !== null) return refused;
  const blamed = parametersOf(facts).flatMap((one) => blame(trial, person, one, sent));
  const owner = Object.entries(facts.fields).find(([, { default: said }]) => said === 'session.user')?.[0];
  if (blamed.length === 0 && owner !== undefined && person.id === null && sent[`${owner}_id`] === undefined)
    return 'login_required';
  return blamed.length === 0 ? 'ok' : blamed.sort().join(', ');
}

/** The failures of all references except the tested one. */
function others(trial: PropertyTrial, person: Person, sent: SentParameters, but: string): readonly string[] {
  return parametersOf(trial.facts).flatMap((one) => (one.name === but ? [] : blame(trial, person, one, sent)));
}

/** The other references that have to name records of the same owner. */
function besides({ facts }: PropertyTrial, sent: SentParameters, but: string): readonly string[] {
  const inside = parametersOf(facts).filter(({ name, facts: words }) => name !== but && words.inside && !words.place);
  return inside.flatMap(({ name }) => ((sent[name] ?? null) === null ? [] : [`${name} conflict`]));
}

/** The failure of a parameter and of the record that it names, if any. */
function blame(trial: PropertyTrial, person: Person, parameter: Parameter, sent: SentParameters): readonly string[] {
  const { world } = trial;
  const value = sent[parameter.name] ?? null;
  if (value !== null && parameter.facts.set === 'admin' && !person.admin) return [`${parameter.name} forbidden`];
  const to = parameter.role === 'upload' ? world.uploads?.resource : parameter.facts.to;
  const target = parameter.role === 'value' ? undefined : world.record(to ?? '', sent[parameter.name]);
  const code =
    target === undefined
      ? 'ok'
      : mayUse(trial, person, { ...parameter, facts: { ...parameter.facts, to: to ?? '' } }, target);
  return code === 'ok' ? [] : [`${parameter.name} ${code}`];
}

/** `ok`, or the code for a caller who may not name the target. */
function mayUse({ world }: PropertyTrial, person: Person, parameter: Parameter, target: HeldRights): string {
  const need = needOf(world, parameter);
  if (need === 'exists' || holds(world, person, need, target)) return 'ok';
  const isUnseen = world.facts(target.resource).hidden && !holds(world, person, 'read', target);
  return isUnseen ? 'reference_not_found' : 'forbidden';
}

/** A file of each type; each parameter refers to all of them in turn. */
async function fileOfEachType({ world }: PropertyTrial): Promise<ReadonlyMap<string, HeldRights>> {
  const files = new Map<string, HeldRights>();
  for (const type of Object.keys(FILES)) files.set(type, await world.file(type, world.owner));
  return files;
}

/** Files of every sample type are accepted or `unsupported_file`; a new image has not been proofed (D26). */
async function toFiles(
  trial: PropertyTrial,
  parameter: Parameter,
  files: ReadonlyMap<string, HeldRights>,
): Promise<void> {
  const { facts, findings, world } = trial;
  const { name, field, facts: words } = parameter;
  const accepted = acceptedBy(world, words.types, words.kind);
  const by = setter(trial, parameter);
  for (const [type, file] of files) {
    const expected = accepted.includes(type) ? 'ok' : `${name} unsupported_file`;
    findings.outcome(
      `${facts.resource}.${name} of type ${type}`,
      expected,
      (await creating(trial, { [name]: file.id }, by)).said,
    );
  }
  const strange = await world.target(parameter, world.stranger);
  const theirs = { ...(await world.sent(facts.resource, world.owner)), [name]: strange.id };
  findings.outcome(
    `the stranger's ${facts.resource}.${name}`,
    creates(trial, world.owner, theirs),
    (await world.create(world.owner, facts.resource, theirs)).said,
  );
  const proof = parametersOf(facts).find((one) => one.field === field && one.role === 'proof')?.name;
  // An update that requires all parameters sends the flag too.
  if (proof === undefined || !offers(trial, 'update') || wantsAll(facts)) return;
  const [one, two] = [await world.target(parameter, world.owner), await world.target(parameter, world.owner)];
  const held = await world.make(facts.resource, world.owner, { [name]: one.id, [proof]: true });
  if (!(proof in held.values)) return;
  findings.outcome(`${facts.resource}.${proof} as sent`, 'true', text(held.values[proof]));
  await updating(trial, held, { [name]: two.id }, by);
  findings.outcome(
    `${facts.resource}.${proof} of another image`,
    'false',
    text((await world.look(held)).values[proof]),
  );
}

/** What becomes of a record when one that it refers to is deleted (D33). */
export const deletions: Section = async (trial) => {
  const { facts } = trial;
  if (!offers(trial, 'create')) return;
  const { fields } = facts;
  for (const [field, words] of Object.entries(fields)) {
    if (words.kind !== 'reference' && !isUpload(words)) continue;
    inDatabase(trial, field, words);
    await deletion(trial, field, words);
  }
};

function effectOf({ required, default: said, on_delete }: FieldFacts): 'cascade' | 'set_null' | 'restrict' {
  return on_delete ?? (required || said === 'session.user' ? 'restrict' : 'set_null');
}

/** SQLite enforces the effect by itself. */
function inDatabase({ world, facts, findings }: PropertyTrial, field: string, words: FieldFacts): void {
  if (isOnPostgres(world.service.running.service.engine)) return;
  const db = databaseOf(world.service.running.service);
  const keys = db.pragma(`foreign_key_list("${facts.resource}")`) as readonly { from: string; on_delete: string }[];
  const action = keys.find(({ from }) => from === `${field}_id`)?.on_delete ?? 'none';
  // A record that is created with this one refers back to it, and is stored after it.
  const effect = words.make === undefined ? effectOf(words).toUpperCase().replace('_', ' ') : 'none';
  findings.outcome(`foreign key ${facts.resource}.${field}_id`, effect, action);
}

async function deletion(trial: PropertyTrial, field: string, words: FieldFacts): Promise<void> {
  const { facts, findings, world } = trial;
  const column = `${field}_id`;
  const parameter = parametersOf(facts).find(({ name }) => name === column);
  if (parameter === undefined || checkedByModule(facts, column) !== null) {
    return trial.untested(
      `the deletion of what ${column} names`,
      'callers do not set it; the foreign key was looked at',
    );
  }
  const holder = isPrincipal(world, words.to) && words.place ? await world.somebody('leaver') : world.owner;
  const target = await world.target(parameter, holder);
  const proof = parametersOf(facts).find((one) => one.field === field && one.role === 'proof')?.name;
  const held = await world.make(facts.resource, holder, {
    ...(words.place && isPrincipal(world, words.to) ? {} : { [column]: target.id }),
    ...(proof === undefined ? {} : { [proof]: true }),
  });
  if (held.values[column] !== target.id && column in held.values) throw new Error(`${column} does not name its target`);
  const effect = effectOf(words);
  const probe = `deletion of what ${facts.resource}.${column} names`;
  findings.outcome(probe, effect === 'restrict' ? 'conflict' : 'ok', await remove(trial, target));
  if (!offers(trial, 'fetch')) return;
  const { said, body } = await world.service.ask(world.admin, 'GET', pathOf(held));
  findings.outcome(`${facts.resource} after the ${probe}`, effect === 'cascade' ? 'not_found' : 'ok', said);
  if (said === 'ok' && column in held.values)
    findings.outcome(
      `${column} after the ${probe}`,
      text(effect === 'set_null' ? null : target.id),
      text(body[column]),
    );
  if (said === 'ok' && proof !== undefined && proof in held.values)
    findings.outcome(`${proof} after the ${probe}`, String(effect !== 'set_null'), text(body[proof]));
}

/** Deletes by the operation if there is one, otherwise directly in the engine. */
async function remove({ world }: PropertyTrial, target: HeldRights): Promise<string> {
  if (policyOf(world.facts(target.resource), 'delete') !== null) {
    return (await world.service.ask(world.admin, 'DELETE', pathOf(target))).said;
  }
  const { running } = world.service;
  try {
    await running.service.engine.records.remove(target.resource, target.id, {
      caller: { user: null, admin: true },
      now: Date.now(),
    });
    return 'ok';
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  }
}
