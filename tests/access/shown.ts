// Checks what an answer shows: every record in it, property by property, and every secret value, wherever it occurs.

import { download, type Role } from '../document/access.js';
import { runSql } from '../support/database.js';
import type { ExpectedOutcome } from './expected.js';
import type { Findings } from './findings.js';
import { holders, type Name, roleOf } from './people.js';
import type { World } from './world.js';

export interface Look {
  readonly probe: string;
  readonly by: Name;
  /** True: the answer of a create, for its caller. */
  readonly created?: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** Checks a record (or a page of records) that `by` got. */
export function checkBody(
  body: unknown,
  look: Look,
  { findings, world, expected }: { findings: Findings; world: World; expected: (resource: string) => ExpectedOutcome },
): void {
  const resourceOf = new Map(world.model.resources.map(({ name, constant }) => [constant, name]));
  const ownerOf = new Map(
    holders.flatMap((holder) => Object.values(world.holdings[holder]).map((id) => [id, holder] as const)),
  );
  const { by } = look;
  const check = (record: Json, depth: number) => {
    const resource = resourceOf.get(String(record.object_type));
    if (resource === undefined) return;
    const known = ownerOf.get(String(record.id));
    // An included record may belong to somebody besides the holders, such as the user of an associate.
    if (known === undefined && depth > 0) return;
    const holder = known ?? 'owner';
    checkRecord(record, { ...look, depth, role: roleOf(by, holder), resource }, expected(resource), findings);
  };
  const items = (body as Json | null)?.items;
  const tops = Array.isArray(items) ? (items as Json[]) : [body as Json];
  for (const top of tops) {
    check(top, 0);
    // F35: an included record is shown as a fetch would show it to the caller (D21).
    for (const inner of below(top)) check(inner, 1);
  }
}

/** Every object inside an object, at any depth. */
function below(value: unknown): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) =>
    typeof inner === 'object' && inner !== null ? [inner as Json, ...below(inner)] : [],
  );
}

interface SeenRecord extends Look {
  readonly role: Role;
  readonly resource: string;
  readonly depth: number;
}

function checkRecord(record: Json, seen: SeenRecord, expected: ExpectedOutcome, findings: Findings): void {
  const { by, probe, resource, role, depth } = seen;
  const at = `${probe}: ${resource} to ${by}`;
  const shown = (names: readonly string[]) => names.filter((name) => Object.hasOwn(record, name));
  const none = (names: readonly string[]) => findings.kept(at, shown(names).length === 0, `shows ${shown(names)}`);
  const every = (names: readonly string[]) => {
    const missing = names.filter((name) => !Object.hasOwn(record, name) && !describes(record, name));
    findings.given(at, missing.length === 0, `lacks ${missing}`);
  };
  none(expected.never);
  if (seen.created && depth === 0) every(expected.once);
  else none(expected.once);
  const { fetch, update } = expected.operations;
  findings.kept(at, depth === 0 || fetch[role] === 'ok', 'includes it');
  const edits = update[role] === 'ok';
  if (edits) every(expected.editors);
  else none(expected.editors);
  if (expected.bought.length === 0) return;
  if (record.free === 1 || mayDownload(by, role)) every(expected.bought);
  else none(expected.bought);
}

/** Who sees the file of a download that is not free. */
function mayDownload(by: Name, role: Role = roleOf(by, 'owner')): boolean {
  return download.paid[by === 'buyer' || by === 'refundedBuyer' ? by : role];
}

/** Whether a description is missing because its id is not set. */
function describes(record: Json, name: string): boolean {
  return Object.hasOwn(record, `${name}_id`) && record[`${name}_id`] === null;
}

/** A value that only some people may see. */
export interface Secret {
  readonly what: string;
  readonly seenBy: ReadonlySet<Name>;
}

export type StoredRows = ReadonlyMap<string, Json>;

/** Text values of the owner's records that are hidden from somebody. */
export function secretsOf(
  world: World,
  expected: (resource: string) => ExpectedOutcome,
  rows: StoredRows,
): ReadonlyMap<string, Secret> {
  const secrets = new Map<string, { what: string; seenBy: Set<Name> }>();
  const add = (value: unknown, what: string, seenBy: readonly Name[]) => {
    if (typeof value !== 'string' || value.length < 8) return;
    const known = secrets.get(value) ?? { what, seenBy: new Set<Name>() };
    for (const name of seenBy) known.seenBy.add(name);
    secrets.set(value, known);
  };
  for (const { name, upload } of world.model.resources) {
    const row = rows.get(name) ?? {};
    const { operations, editors, never, once, bought } = expected(name);
    const everybody = Object.keys(world.people) as Name[];
    const editing = everybody.filter((by) => operations.update[roleOf(by, 'owner')] === 'ok');
    for (const property of once) add(row[property], `${name}.${property}`, []);
    // The secret part of a file's address is in the description that editors of a record with the file see (D25).
    const through = upload === null ? [] : everybody.filter((by) => roleOf(by, 'owner') === 'associate');
    for (const property of never)
      add(row[property], `${name}.${property}`, property === 'access_key' ? [...editing, ...through] : []);
    for (const property of editors) add(row[property], `${name}.${property}`, editing);
    const buyers = everybody.filter((by) => mayDownload(by));
    for (const property of bought) add(row[property], `${name}.${property}`, buyers);
  }
  return secrets;
}

/** The stored rows of the owner's records, by resource. */
export async function storedRows({ model, running, holdings }: World): Promise<StoredRows> {
  const read = async (resource: string): Promise<[string, Json]> => {
    const text = `SELECT * FROM "${resource}" WHERE id = ?`;
    const [row = {}] = await runSql(running.service, text, holdings.owner[resource] ?? '');
    return [resource, row];
  };
  return new Map(await Promise.all(model.resources.map(({ name }) => read(name))));
}

/** The text of an answer to `by` contains no secret. */
export function checkText(text: string, look: Look, findings: Findings, secrets: ReadonlyMap<string, Secret>): void {
  const leaked = [...secrets].filter(([value, { seenBy }]) => !seenBy.has(look.by) && text.includes(value));
  findings.kept(look.probe, leaked.length === 0, `tells ${look.by} ${leaked.map(([, { what }]) => what)}`);
}
