// Reads the files of spec/versions (D68), and checks their form and that the ledger knows their numbers.

import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { structureProblems } from '../form/structure.js';
import { numbersOf } from '../ledger/extend.js';
import type { Ledger } from '../ledger/ledger.js';
import { load, type Pointer, type SourceFile } from '../load/load.js';
import { type Shape, shapeSchema } from './file.js';

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
    const isRight = shape !== null && shapeSchema()(shape) === true && problems(shape, file, known).length === 0;
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
  const found = structureProblems(document, shapeSchema()).flatMap((one) => one.diagnostics);
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
