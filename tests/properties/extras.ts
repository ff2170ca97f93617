// What only some resources have: uploads with their limit, and actions with their right and parameters.
import { copying, nameOfCopy } from './copies.js';
import type { Facts, FieldFacts } from './facts.js';
import { population } from './population.js';
import { fieldsOf, isUpload, type Parameter, parametersIn, parametersOf, policyOf, typeOf } from './reading.js';
import { holds } from './rights.js';
import { mark, type SentParameters } from './service.js';
import { acceptedBy, mayMeet } from './supply.js';
import { type PropertyTrial, pathOf, type Section, text } from './trial.js';
import { fitsKind, refused, sample, shown, taken } from './values.js';
import { FILES } from './world.js';

/** The most bytes that a test sends in one request. */
const MOST = 128 * 1024 * 1024;

export const uploads: Section = async (trial) => {
  const { facts, findings, world } = trial;
  const { upload, fields } = facts;
  if (upload === undefined) return;
  for (const [type, bytes] of Object.entries({ ...FILES, [WIDE]: WIDE_SVG })) {
    const { said, body } = await uploading(trial, bytes);
    findings.outcome(`an upload of ${type}`, 'ok', said);
    for (const [name, { from, view }] of Object.entries(fields)) {
      const known = KNOWN[type]?.[from ?? ''];
      if (view === undefined && known !== undefined)
        findings.outcome(`${name} of ${type}`, String(known), String(body[name]));
    }
  }
  await addresses(trial);
  await listedUses(trial);
  const without = await world.service.ask(
    world.owner,
    'POST',
    `/api/${facts.resource}`,
    await world.sent(facts.resource, world.owner),
  );
  findings.outcome('an upload without bytes', `${upload.part} required`, without.said);
  if (upload.max_bytes > MOST)
    return trial.untested('the size of uploads', `${upload.max_bytes} bytes are too many for a test`);
  findings.outcome(
    `an upload of ${upload.max_bytes} bytes`,
    'ok',
    (await uploading(trial, Buffer.alloc(upload.max_bytes))).said,
  );
  const over = (await uploading(trial, Buffer.alloc(upload.max_bytes + 1))).said;
  findings.outcome('an upload of one byte more', 'too_large', over.split(' ').at(-1) ?? '');
};

/** Every record that uses an upload is listed with it, once, however often it uses it. */
async function listedUses(trial: PropertyTrial): Promise<void> {
  const { world, facts, findings } = trial;
  const { uses } = facts.upload ?? {};
  if (uses === undefined) return;
  for (const other of world.project.resources.filter(({ served_by }) => served_by === undefined)) {
    const columns = parametersOf(other).filter(({ role, facts: of }) => role === 'upload' && of.set === undefined);
    if (columns.length === 0 || policyOf(other, 'create') === null) continue;
    const types = columns.map(({ facts: { types, kind } }) => acceptedBy(world, types, kind));
    const [type = ''] = types[0] ?? [];
    const file = await world.file(type, world.owner);
    const taking = columns.filter((_, at) => types[at]?.includes(type));
    const held = await world.make(
      other.resource,
      world.owner,
      Object.fromEntries(taking.map(({ name }) => [name, file.id])),
    );
    const { said, body } = await world.service.ask(world.admin, 'GET', `${pathOf(file)}/${uses}`);
    const items = (body.items ?? []) as readonly { readonly id: string; readonly object_type: string }[];
    const shownItems = items.map((item) => `${item.object_type} ${item.id}`).join();
    findings.outcome(
      `${uses} of what a ${other.resource} uses`,
      `ok ${typeOf(other).object_type} ${held.id}`,
      `${said} ${shownItems}`,
    );
    const stranger = await world.service.ask(world.stranger, 'GET', `${pathOf(file)}/${uses}`);
    const may = holds(world, world.stranger, 'read', file);
    findings.outcome(
      `${uses} of a stranger's ${facts.resource}`,
      may ? 'ok' : facts.hidden ? 'not_found' : 'forbidden',
      stranger.said,
    );
  }
}

/** The bytes of an upload are at the address that its record shows. */
async function addresses(trial: PropertyTrial): Promise<void> {
  const { facts, findings, world } = trial;
  const [bytes] = Object.values(FILES);
  const { body } = await uploading(trial, bytes ?? new Uint8Array());
  for (const [name] of Object.entries(facts.fields).filter(([, { text: form }]) => form?.startsWith('/'))) {
    const response = await fetch(`${world.service.running.address}${body[name]}`);
    const same = Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes ?? []));
    findings.given(`the bytes at ${name}`, same, `status ${response.status}`);
  }
}

const WIDE = 'a picture larger than any screen';
const WIDE_SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="65000" height="64000"/>');

/** The known values of an upload, by the `from` of their field. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'image/svg+xml': { 'upload.type': 'image/svg+xml', 'upload.width': 30, 'upload.height': 20 },
  'application/octet-stream': { 'upload.type': 'application/octet-stream', 'upload.width': null, 'upload.size': 5 },
  [WIDE]: { 'upload.type': 'image/svg+xml', 'upload.width': 65000, 'upload.height': 64000 },
  'image/png': { 'upload.type': 'image/png', 'upload.width': 1 },
};

async function uploading({ world, facts }: PropertyTrial, bytes: Uint8Array) {
  const part = facts.upload?.part ?? '';
  const sent = await world.sent(facts.resource, world.owner);
  return world.create(world.owner, facts.resource, sent, { part, name: `sample ${mark()}`, bytes });
}

/** Who may start an action, and what it refuses. Its effect is hand-written, and has tests of its own. */
export const actions: Section = async (trial) => {
  if (policyOf(trial.facts, 'create') === null) return;
  for (const [name, { copies }] of Object.entries(trial.facts.actions)) {
    if (mayMeet(trial.world, trial.facts, name)) {
      trial.untested(`the action ${name}`, 'too few records can differ in what it makes unique');
      continue;
    }
    await whoMayStart(trial, name);
    await parameters(trial, name);
    await settingFields(trial, name);
    if (copies !== undefined) await copying(trial, name, copies);
  }
};

/** The declared parameters, and the name of the copy if the action copies. */
function parametersOfAction(facts: Facts, name: string): readonly Parameter[] {
  const { parameters: own = {}, copies } = facts.actions[name] ?? {};
  return parametersIn(copies === undefined ? own : nameOfCopy(facts, copies));
}

async function whoMayStart(trial: PropertyTrial, name: string): Promise<void> {
  const { world, facts, findings } = trial;
  const { by } = facts.actions[name] as Facts['actions'][string];
  // A request that is refused for its parameters, if there are any, so that the action does nothing.
  const wrong = parametersOfAction(facts, name).map((parameter) => [parameter, brokenValue(parameter)] as const)[0];
  const held = await world.make(facts.resource, world.owner);
  for (const person of await population(trial, held)) {
    const target = wrong === undefined ? await world.make(facts.resource, world.owner) : held;
    const right = by === 'editor' ? 'edit' : by;
    const may = person.admin || (by !== 'admin' && holds(world, person, right, target));
    const unseen = facts.hidden && !holds(world, person, 'read', target);
    const refusal = unseen ? 'not_found' : person.id === null ? 'login_required' : 'forbidden';
    const expected = may ? (wrong === undefined ? 'ok' : `${wrong[0].name} invalid`) : refusal;
    const sent = wrong === undefined ? {} : { [wrong[0].name]: wrong[1] };
    const { said, body } = await world.service.ask(person, 'POST', `${pathOf(target)}/${name}`, sent);
    if (said === 'ok') wellFormed(trial, name, body);
    findings.outcome(`${name} of a ${facts.resource} by the ${person.name}`, expected, said);
  }
}

/** An action that sets fields sets the same values however often it is called; DELETE at its path sets the opposite ones. */
async function settingFields({ world, facts, findings }: PropertyTrial, name: string): Promise<void> {
  const { sets, undo } = facts.actions[name] as Facts['actions'][string];
  if (sets === undefined) return;
  const held = await world.make(facts.resource, world.owner);
  for (const [method, values] of [
    ['POST', sets],
    ['POST', sets],
    ['DELETE', undo],
    ['DELETE', undo],
  ] as const) {
    if (values === undefined) continue;
    const { said, body } = await world.service.ask(world.admin, method, `${pathOf(held)}/${name}`, {});
    findings.outcome(`${method} ${name} of a ${facts.resource}`, 'ok', said);
    for (const [field, value] of Object.entries(values).filter(([one]) => one in body)) {
      const expected = value === null ? null : shown(fieldsOf(facts)[field] as FieldFacts, value);
      findings.outcome(`${facts.resource}.${field} after ${method} ${name}`, text(expected), text(body[field]));
    }
  }
}

/** Every value after an action has the form of its kind. */
function wellFormed({ facts, findings }: PropertyTrial, name: string, body: SentParameters): void {
  for (const [property, field] of Object.entries(facts.fields)) {
    // References and files show a description under the name of their field.
    if (isUpload(field) || ['reference', 'computed'].includes(field.kind)) continue;
    const value = body[property];
    findings.given(`${facts.resource}.${property} after ${name}`, fitsKind(field, value), text(value));
  }
}

function brokenValue({ facts }: Parameter): unknown {
  return refused(facts).find(({ code }) => code === 'invalid')?.value;
}

async function parameters(trial: PropertyTrial, name: string): Promise<void> {
  const { world, facts, findings } = trial;
  const all = parametersOfAction(facts, name);
  const valid: SentParameters = Object.fromEntries(
    all.filter(({ required }) => required).map((one) => [one.name, sample(one.facts)]),
  );
  const held = await world.make(facts.resource, world.owner);
  const path = `${pathOf(held)}/${name}`;
  const asking = async (sent: SentParameters) => {
    const { said, body } = await world.service.ask(world.admin, 'POST', path, sent);
    if (said === 'ok') wellFormed(trial, name, body);
    return said;
  };
  for (const parameter of all) {
    for (const { value, code } of refused(parameter.facts)) {
      findings.outcome(
        `${name} with ${parameter.name} ${String(value).slice(0, 40)}`,
        `${parameter.name} ${code}`,
        await asking({ ...valid, [parameter.name]: value }),
      );
    }
    for (const value of taken(parameter.facts)) {
      const outcome = await asking({ ...valid, [parameter.name]: value });
      findings.given(
        `${name} with ${parameter.name} ${String(value).slice(0, 40)} is valid`,
        outcome !== `${parameter.name} invalid`,
        outcome,
      );
    }
    const { [parameter.name]: _, ...rest } = valid;
    if (facts.actions[name]?.copies !== undefined) continue;
    if (parameter.required)
      findings.outcome(`${name} without ${parameter.name}`, `${parameter.name} required`, await asking(rest));
    else trial.untested(`that ${name} goes without ${parameter.name}`, 'what an action does is hand-written');
  }
}
