// The form of a document: ajv's findings as diagnostics at the right key, and the document without what they touch.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { descriptorSchema } from '../language/descriptor-schema.js';
import type { Keywords } from '../language/keywords.js';
import type { Document, Pointer } from '../load/load.js';
import { formDiagnostic } from './form.js';
import { pointerOf, prune } from './prune.js';

export type FileKind = 'resource' | 'conventions' | 'events';

export interface Structured {
  readonly document: Document;
  /** The document without the parts that have a wrong form. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Those parts, as pointers joined by `/`; rules are silent about them. */
  readonly pruned: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

export type Structure = (document: Document, kind: FileKind) => Structured;

/** Compiles the language's schema, once for all documents of a run; a test holds it against its own meta-schema. */
export function structureCheck(): Structure {
  const compiled = validators();
  return (document, kind) => structure(document, kind, compiled[kind]);
}

type Validators = Readonly<Record<FileKind, ValidateFunction>>;

function validators(): Validators {
  const ajv = new Ajv({ ...QUICK, allErrors: true, verbose: true, strictTypes: false, allowUnionTypes: true });
  addFormats(ajv, ['date']);
  ajv.addSchema(languageSchema());
  return {
    resource: validator(ajv, ''),
    conventions: validator(ajv, '#/definitions/conventions_file'),
    events: validator(ajv, '#/definitions/events_file'),
  };
}

const QUICK = { validateSchema: false, meta: false } as const;

/** Without the conditions by kind, which are for editors: a rule covers them, and sees kinds that a convention gives. */
function languageSchema(): Record<string, unknown> {
  const schema = descriptorSchema({ resources: [], conventions: [], events: [] });
  const definitions = schema.definitions as Keywords;
  const { allOf: _, ...field } = definitions.field_map as Keywords;
  return { ...schema, definitions: { ...definitions, field_map: field } };
}

function validator(ajv: Ajv, part: string): ValidateFunction {
  const found = ajv.getSchema(`descriptor.schema.json${part}`);
  if (found === undefined) throw new Error(`the language's schema has no ${part}`);
  return found;
}

function structure(document: Document, kind: FileKind, validate: ValidateFunction): Structured {
  if (!document.sound) return { document, value: {}, pruned: new Set(), diagnostics: [] };
  validate(document.value);
  const errors = (validate.errors ?? []).filter(speaks);
  return {
    document,
    ...prune(document.value, kind, errors.map(culprit)),
    diagnostics: errors.flatMap((one) => formDiagnostic(document, one)),
  };
}

/** Findings that only frame others say nothing of their own. */
function speaks(error: ErrorObject): boolean {
  return error.keyword !== 'if' && error.keyword !== 'propertyNames';
}

/** What has to go so that the rest has a right form. */
function culprit(error: ErrorObject): Pointer {
  const pointer = pointerOf(error);
  if (error.keyword === 'additionalProperties') return [...pointer, String(error.params.additionalProperty)];
  return error.propertyName === undefined ? pointer : [...pointer, error.propertyName];
}
