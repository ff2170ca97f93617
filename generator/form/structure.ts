// Checks the structure of a document with ajv. Returns its errors as diagnostics at the right key, and the document without the
// malformed parts.
import { Ajv, type CodeOptions, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Key } from '../language/keywords.js';
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

/** Compiles the schema of the language on first use, unless the build has; a test validates it against its meta-schema. */
export function structureCheck(): Structure {
  const validate = compiled ?? validators(builtValidators());
  compiled = validate;
  return (document, kind) => structure(document, kind, validate[kind]);
}

let compiled: Validators | null = null;

export type Validators = Readonly<Record<FileKind, ValidateFunction>>;

/** Compiles the schema of any other file on first use, once per process. */
export function fileSchema<T>(schema: Key<T>): () => ValidateFunction<T> {
  let validate: ValidateFunction<T> | null = null;
  return () => {
    validate ??= openAjv().compile<T>(schema);
    return validate;
  };
}

/** @returns the value of a JSON text; null if it is not JSON, or does not fit the schema */
export function parsedJson<T>(text: string, schema: () => ValidateFunction<T>): T | null {
  try {
    const value: unknown = JSON.parse(text);
    return schema()(value) ? value : null;
  } catch {
    return null;
  }
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

/** Compiles the validators, unless the build has compiled those of the same version of the language. */
export function validators(built: BuiltValidators | null): Validators {
  if (built?.compiledFrom === compiledFrom()) return built;
  const ajv = openLanguage();
  const [resource, conventions, events] = [PARTS.resource, PARTS.conventions, PARTS.events].map((part) => {
    const validate = ajv.getSchema(part);
    if (validate === undefined) throw new Error(`the language's schema has no ${part}`);
    return validate;
  }) as [ValidateFunction, ValidateFunction, ValidateFunction];
  return { resource, conventions, events };
}

/** The module that the build writes, since compiling the validators would take a third of the time of a short command. */
export interface BuiltValidators extends Validators {
  /** What `compiledFrom` returned when they were compiled. */
  readonly compiledFrom: string;
}

/** Null if the build has not written them. */
export function builtValidators(): BuiltValidators | null {
  try {
    return require('./built-validators.js') as BuiltValidators;
  } catch {
    return null;
  }
}

/** Everything that compiled validators depend on, as text. */
export function compiledFrom(): string {
  return JSON.stringify([OPTIONS, descriptorSchema(NO_NAMES)]);
}

/** An ajv that knows the schema of the language. @param code options for the code that it generates */
export function openLanguage(code: CodeOptions = {}): Ajv {
  return openAjv(code).addSchema(descriptorSchema(NO_NAMES));
}

/** The part of the schema for each kind of file. */
export const PARTS: Readonly<Record<FileKind, string>> = {
  resource: 'descriptor.schema.json',
  conventions: 'descriptor.schema.json#/definitions/conventions_file',
  events: 'descriptor.schema.json#/definitions/events_file',
};

const OPTIONS = {
  ...{ validateSchema: false, meta: false, code: { optimize: false } },
  ...{ allErrors: true, verbose: true, strictTypes: false, allowUnionTypes: true },
} as const;

function openAjv(code: CodeOptions = {}): Ajv {
  const ajv = new Ajv({ ...OPTIONS, code: { ...OPTIONS.code, ...code } });
  addFormats(ajv, ['date']);
  return ajv;
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
