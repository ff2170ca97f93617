// Creates records that another service had, through the operation of the API and as one of its users: with their ids where the
// user may choose them, otherwise with new ids, which replace the old ones in later records.
import { hash } from 'node:crypto';
import { CommandError } from '../../contract/command-error.js';
import type { AnyDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { CHOSEN_ID } from '../../contract/ids.js';
import { canHaveId } from '../../operations/create.js';
import type { Service } from '../../server/open-service.js';
import type { Caller } from '../../store/records.js';

type SentParameters = Readonly<Record<string, unknown>>;

/** One line of the input. */
interface Line {
  readonly number: number;
  readonly definition: AnyDefinition;
  readonly id: string;
  readonly sent: SentParameters;
}

/** The id that a record has here, one line of the mapping. */
export interface IdMapping {
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

export interface Import {
  readonly text: string;
  /** The mapping that an earlier import has left. */
  readonly mapped: readonly IdMapping[];
  readonly caller: Caller;
  /** Called after each record, before the next. */
  keep(mapped: IdMapping): void;
  now(): number;
}

export interface ImportSummary {
  readonly created: number;
  /** How many of them kept their ids. */
  readonly kept: number;
  /** They were imported before. */
  readonly known: number;
}

/** The most problems that are reported together. */
const MAX_REPORTED = 20;

/**
 * Throws CommandError: before anything is written if a line cannot be read, otherwise for the first record that is refused; the
 * same import can be resumed then.
 */
export async function importRecords(service: Service, all: Import): Promise<ImportSummary> {
  const lines = linesOf(service.definitions, all.text);
  const ids = new Map(all.mapped.map(({ type, from, to }) => [keyOf(type, from), to]));
  let [created, kept, known] = [0, 0, 0];
  for (const line of lines) {
    const { definition, id: from } = line;
    if (ids.has(keyOf(definition.name, from))) {
      known += 1;
      continue;
    }
    const to = await create(service, { line, ids, all });
    ids.set(keyOf(definition.name, from), to);
    all.keep({ type: definition.name, from, to });
    created += 1;
    if (from === to) kept += 1;
  }
  return { created, kept, known };
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}

interface CreateInput {
  readonly line: Line;
  readonly ids: ReadonlyMap<string, string>;
  readonly all: Import;
}

/** The key prevents a second record if the command was killed before it wrote the mapping. */
async function create({ operations }: Service, { line, ids, all }: CreateInput): Promise<string> {
  const { definition, id, sent, number } = line;
  const { caller } = all;
  const chosen = canHaveId(definition, caller, id) ? { [CHOSEN_ID]: id } : {};
  const parameters = { ...withIds(definition, sent, ids), ...chosen };
  const [key, bodyHash] = [keyOf(`import ${definition.name}`, id), JSON.stringify(parameters)].map((one) =>
    hash('sha256', one, 'hex'),
  ) as [string, string];
  try {
    const idempotencyKey = { key, bodyHash };
    const answer = await operations.create({
      ...{ definition, id: '', name: '', parameters, caller, now: all.now(), upload: null, idempotencyKey },
    });
    return (JSON.parse(answer.body) as { readonly id: string }).id;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const why = error.failures.map(({ message }) => message).join(' ') || error.message;
    throw new CommandError(
      `line ${number}: ${definition.name} ${id} is refused: ${why} What is before it is imported; correct the line and run it again`,
    );
  }
}

/** Replaces ids by those that records have here, also within lists and maps, if the name shows an id's resource: `game_id`. */
function withIds(
  { references, synonyms }: AnyDefinition,
  sent: SentParameters,
  ids: ReadonlyMap<string, string>,
): SentParameters {
  const here = (type: string, value: unknown) => ids.get(keyOf(type, String(value))) ?? value;
  const inner = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => inner(one));
    if (typeof value === 'string') return key.endsWith('_id') ? here(key.slice(0, -3), value) : value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one, name)]));
  };
  const entries = Object.entries(sent).map(([name, value]) => {
    const to = references.find(({ column }) => column === (synonyms[name] ?? name))?.to;
    return [name, to === undefined ? (typeof value === 'object' ? inner(value) : value) : here(to, value)] as const;
  });
  return Object.fromEntries(entries);
}

function linesOf(definitions: readonly AnyDefinition[], text: string): readonly Line[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const lines = text.split('\n').flatMap((written, at) => {
    if (written.trim() === '') return [];
    const line = lineOf(definitions, written, at + 1);
    const key = typeof line === 'string' ? '' : keyOf(line.definition.name, line.id);
    const problem = typeof line === 'string' ? line : seen.has(key) ? `${key} is there twice` : null;
    seen.add(key);
    if (problem === null) return [line as Line];
    problems.push(`line ${at + 1}: ${problem}`);
    return [];
  });
  if (problems.length === 0) return lines;
  const more = problems.length > MAX_REPORTED ? `\nand ${problems.length - MAX_REPORTED} more` : '';
  throw new CommandError(`nothing is imported:\n${problems.slice(0, MAX_REPORTED).join('\n')}${more}`);
}

function constantOf({ properties: { object_type: type } }: AnyDefinition): string | null {
  return type?.kind === 'constant' ? type.value : null;
}

/** The line, or its problem: a record as the other service showed it, or its type, id and parameters. */
function lineOf(definitions: readonly AnyDefinition[], written: string, number: number): Line | string {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return 'it is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not an object';
  const { id, type, object_type = type, ...sent } = value as SentParameters;
  const definition = definitions.find((one) => one.name === object_type || constantOf(one) === object_type);
  if (typeof id !== 'string' || id === '') return 'it has no "id"';
  if (definition === undefined) return `there is no type ${JSON.stringify(object_type ?? null)} ("object_type")`;
  if (definition.upload !== null)
    return `a ${definition.name} is uploaded, not imported: name its id here in the mapping`;
  if (definition.servedBy !== null || definition.operations.create === null)
    return `a ${definition.name} cannot be imported`;
  return { number, definition, id, sent };
}
