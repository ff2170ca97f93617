// Checks the structure of a document with ajv. Returns its errors as diagnostics at the right key, and the document without the
// malformed parts.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Keywords } from '../language/keywords.js';
import type { Document, Pointer } from '../load/load.js';
import { memoizeByObject } from '../memoize.js';
import { descriptorSchema, NO_NAMES } from './descriptor-schema.js';
import { formDiagnostic, pointerOf, prune, suggestKey } from './messages.js';

export type FileKind = 'resource' | 'conventions' | 'events';

export interface StructuredDocument {
  readonly document: Document;
  /** The document without its malformed parts. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The parts that were left out, as pointers joined by `/`; rules do not report anything about them. */
  readonly pruned: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

export type Structure = (document: Document, kind: FileKind) => StructuredDocument;

/** Compiles the schema of the language on first use, once per process; a test validates it against its meta-schema. */
export function structureCheck(): Structure {
  const validate = compiled ?? validators();
  compiled = validate;
  return (document, kind) => structure(document, kind, validate[kind]);
}

let compiled: Validators | null = null;

type Validators = Readonly<Record<FileKind, ValidateFunction>>;

/** Compiles the schema of any other file on first use, once per process. */
export function fileSchema(schema: Keywords): () => ValidateFunction {
  let validate: ValidateFunction | null = null;
  return () => {
    validate ??= openAjv().compile(schema);
    return validate;
  };
}

export interface StructureProblem {
  /** The part without which the rest is well-formed. */
  readonly culprit: Pointer;
  readonly diagnostics: readonly Diagnostic[];
}

/** All mistakes in a document according to the schema of its file; none if its text could not be parsed. */
export function structureProblems(document: Document, validate: ValidateFunction): readonly StructureProblem[] {
  if (!document.sound) return [];
  validate(document.value);
  const errors = withoutConsequences((validate.errors ?? []).filter(isReportable));
  return errors.map((error) => ({ culprit: culprit(error), diagnostics: formDiagnostic(document, error) }));
}

function validators(): Validators {
  const ajv = openAjv();
  ajv.addSchema(descriptorSchema(NO_NAMES));
  return {
    resource: validator(ajv, ''),
    conventions: validator(ajv, '#/definitions/conventions_file'),
    events: validator(ajv, '#/definitions/events_file'),
  };
}

function openAjv(): Ajv {
  const ajv = new Ajv({ ...QUICK, allErrors: true, verbose: true, strictTypes: false, allowUnionTypes: true });
  addFormats(ajv, ['date']);
  return ajv;
}

const QUICK = { validateSchema: false, meta: false, code: { optimize: false } } as const;

function validator(ajv: Ajv, part: string): ValidateFunction {
  const validate = ajv.getSchema(`descriptor.schema.json${part}`);
  if (validate === undefined) throw new Error(`the language's schema has no ${part}`);
  return validate;
}

const structure = memoizeByObject(
  (document: Document, kind: FileKind, validate: ValidateFunction): StructuredDocument => {
    const problems = structureProblems(document, validate);
    const pruned = prune(
      document.value,
      kind,
      problems.map((one) => one.culprit),
    );
    return { document, ...pruned, diagnostics: problems.flatMap((one) => one.diagnostics) };
  },
);

/** Errors that only wrap other errors are not reported. */
function isReportable(error: ErrorObject): boolean {
  return error.keyword !== 'if' && error.keyword !== 'propertyNames';
}

/** A misspelt key is one mistake: the intended key is not also reported as missing. */
function withoutConsequences(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const intended = new Set(errors.map((error) => `${error.instancePath}/${suggestKey(error)?.name}`));
  return errors.filter(
    ({ keyword, instancePath, params }) =>
      keyword !== 'required' || !intended.has(`${instancePath}/${params.missingProperty}`),
  );
}

function culprit(error: ErrorObject): Pointer {
  const pointer = pointerOf(error);
  if (error.keyword === 'additionalProperties') return [...pointer, String(error.params.additionalProperty)];
  if (error.keyword === 'required') return [...pointer, String(error.params.missingProperty)];
  return error.propertyName === undefined ? pointer : [...pointer, error.propertyName];
}
