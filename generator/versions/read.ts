// Reads the files of spec/versions (D68), and checks their form and that the ledger knows their numbers.

import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { parsedJson, structureProblems } from '../form/structure.js';
import { numbersOf } from '../ledger/extend.js';
import type { Ledger } from '../ledger/ledger.js';
import { type Document, load, type SourceFile } from '../load/load.js';
import { type Shape, shapeSchema } from './file.js';

export interface ReadVersions {
  /** The versions without mistakes, the oldest first. */
  readonly shapes: readonly Shape[];
  readonly diagnostics: readonly Diagnostic[];
}

export function isVersionFile({ path }: Pick<SourceFile, 'path'>): boolean {
  return /(^|\/)versions\/[^/]+\.json$/.test(path);
}

/** @param ledger extended by today's descriptors */
export function readVersions(files: readonly SourceFile[], ledger: Ledger): ReadVersions {
  const known = files.length === 0 ? new Set<number>() : numbersOf(ledger);
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const all = sorted.map((file) => readVersion(file, known));
  return { shapes: all.flatMap(({ shapes }) => shapes), diagnostics: all.flatMap(({ diagnostics }) => diagnostics) };
}

/** Reads a file with mistakes again as YAML, with positions, which is too slow for others. YAML allows more than JSON does. */
function readVersion(file: SourceFile, known: ReadonlySet<number>): ReadVersions {
  const shape = parsedJson(file.text, shapeSchema);
  if (shape !== null && problems(shape, file, known).length === 0) return { shapes: [shape], diagnostics: [] };
  const { documents, diagnostics } = load([file]);
  const [document] = documents;
  if (document === undefined || !document.sound) return { shapes: [], diagnostics };
  const malformed = structureProblems(document, shapeSchema()).flatMap((one) => one.diagnostics);
  if (malformed.length > 0) return { shapes: [], diagnostics: malformed };
  const again = document.value as unknown as Shape;
  const found = problems(again, file, known).map((problem) => problem(document));
  return { shapes: found.length === 0 ? [again] : [], diagnostics: found };
}

/** Becomes a diagnostic once the file is read with positions. */
type Problem = (document: Document) => Diagnostic;

function problems({ version, sunset, resources }: Shape, { path }: SourceFile, known: ReadonlySet<number>) {
  const all: Problem[] = [];
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (file !== `${version}.json`)
    all.push((document) => diagnostic('E0801', document.locate(['version']), { version, file }));
  if (sunset !== undefined && sunset <= version)
    all.push((document) => diagnostic('E0803', document.locate(['sunset']), { version, sunset }));
  for (const [name, { number, fields }] of Object.entries(resources)) {
    const ofFields = Object.entries(fields).map(([field, { of }]) => [['fields', field, 'of'], of] as const);
    for (const [at, one] of [[['number'], number] as const, ...ofFields]) {
      if (typeof one === 'string' || known.has(one)) continue;
      const pointer = ['resources', name, ...at];
      all.push((document) => diagnostic('E0802', document.locate(pointer), { number: String(one) }));
    }
  }
  return all;
}
