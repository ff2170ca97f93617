// Reads the files of spec/versions (D68), and checks their form and that the ledger knows their numbers.

import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { fileSchema, mistakes } from '../form/structure.js';
import { closed, DATE, type Keywords, TEXT } from '../language/keywords.js';
import { numbersOf } from '../ledger/extend.js';
import type { Ledger } from '../ledger/ledger.js';
import { load, type Pointer, type SourceFile } from '../load/load.js';
import type { Shape } from './shape.js';

export interface ReadVersions {
  /** The versions without mistakes, the oldest first. */
  readonly shapes: readonly Shape[];
  readonly diagnostics: readonly Diagnostic[];
}

const NONE: ReadVersions = { shapes: [], diagnostics: [] };

export function isVersionFile({ path }: Pick<SourceFile, 'path'>): boolean {
  return /(^|\/)versions\/[^/]+\.json$/.test(path);
}

/** @param ledger extended by today's descriptors */
export function readVersions(files: readonly SourceFile[], ledger: Ledger): ReadVersions {
  if (files.length === 0) return NONE;
  const known = numbersOf(ledger);
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const all = sorted.map((file): Shape | readonly Diagnostic[] => {
    const shape = parsed(file.text);
    const isRight = shape !== null && form()(shape) === true && problems(shape, file, known).length === 0;
    return isRight ? shape : readWithPositions(file, known);
  });
  return {
    shapes: all.filter((one): one is Shape => !Array.isArray(one)),
    diagnostics: all.flatMap((one) => (Array.isArray(one) ? (one as readonly Diagnostic[]) : [])),
  };
}

function parsed(text: string): Shape | null {
  try {
    return JSON.parse(text) as Shape;
  } catch {
    return null;
  }
}

/** Reads the file again as YAML, with positions, which is too slow for files without mistakes. YAML allows more than JSON does. */
function readWithPositions(file: SourceFile, known: ReadonlySet<number>): Shape | readonly Diagnostic[] {
  const { documents, diagnostics } = load([file]);
  const [document] = documents;
  if (document === undefined || !document.sound) return diagnostics;
  const found = mistakes(document, form()).flatMap((one) => one.diagnostics);
  if (found.length > 0) return found;
  const shape = document.value as unknown as Shape;
  const all = problems(shape, file, known);
  if (all.length === 0) return shape;
  return all.map(({ code, at, holes }) => diagnostic(code, document.locate(at), holes as never));
}

interface Problem {
  readonly code: 'E0801' | 'E0802' | 'E0803';
  readonly at: Pointer;
  readonly holes: Readonly<Record<string, string>>;
}

function problems({ version, sunset, resources }: Shape, { path }: SourceFile, known: ReadonlySet<number>) {
  const all: Problem[] = [];
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (file !== `${version}.json`) all.push({ code: 'E0801', at: ['version'], holes: { version, file } });
  if (sunset !== undefined && sunset <= version)
    all.push({ code: 'E0803', at: ['sunset'], holes: { version, sunset } });
  for (const [name, { number, fields }] of Object.entries(resources)) {
    const numbered = [
      [['resources', name, 'number'], number] as const,
      ...Object.entries(fields).map(([field, { of }]) => [['resources', name, 'fields', field, 'of'], of] as const),
    ];
    for (const [at, one] of numbered) {
      if (typeof one === 'number' && !known.has(one)) all.push({ code: 'E0802', at, holes: { number: String(one) } });
    }
  }
  return all;
}

const NUMBER: Keywords = { type: 'integer', minimum: 1 };
const NAMES: Keywords = { type: 'array', items: TEXT };

function mapOf(value: Keywords): Keywords {
  return { type: 'object', additionalProperties: value };
}

const FIELD = closed(
  {
    of: { type: ['integer', 'string'], title: 'a number of the ledger, or what the field is computed from' },
    only: { enum: ['sent', 'shown'] },
    form: { enum: ['string', 'number', 'flag', 'bit', 'date-time', 'full-date'] },
    schema: { type: 'object' },
    values: mapOf(NUMBER),
    default: {},
    required: { const: true },
    nullable: { const: true },
    view: TEXT,
    when_set: { const: true },
    synonyms: NAMES,
  },
  ['of'],
);

const LIST = closed(
  {
    on: NUMBER,
    name: TEXT,
    by: NUMBER,
    through: NUMBER,
    where: mapOf({ type: ['string', 'number', 'null'] }),
    bulk: { const: true },
  },
  ['on', 'name', 'by'],
);

const RESOURCE = closed(
  {
    number: NUMBER,
    type: TEXT,
    operations: mapOf(TEXT),
    fields: mapOf(FIELD),
    relations: mapOf(NUMBER),
    lists: { type: 'array', items: LIST },
    paths: mapOf(NAMES),
    old_names: mapOf({ type: ['string', 'null'] }),
    ignores: NAMES,
    actions: mapOf(NAMES),
    filters: { type: 'array', items: NUMBER },
    order: NAMES,
    brief: NAMES,
    upload: NAMES,
  },
  ['number', 'operations', 'fields'],
);

const form = fileSchema(closed({ version: DATE, sunset: DATE, resources: mapOf(RESOURCE) }, ['version', 'resources']));
