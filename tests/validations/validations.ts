// The three validations of a value: the schema of the API document, the generated validator, and the CHECK of the real table.
//
// A value is first converted as the service does it (D20), since forms and queries only have text. The two schemas get the
// converted value with examples of the other required parameters; the table gets the row that the generated create handler
// returns for it (0 and 1 for booleans, text for json). Values that the conversion refuses reach no validation: text with
// U+0000 or lone surrogates, `abc` for a number, a wrong type.
import type { ValidateFunction } from 'ajv/dist/2020.js';
import Database from 'better-sqlite3';
import { generated } from '../../generated/index.js';
import { createParameters } from '../../generator/model/find.js';
import type { Column, Model, Parameter, Resource } from '../../generator/model/model.js';
import type { AnyDefinition, Scalar, WriteContext } from '../../runtime/contract/definition.js';
import { insertStatement } from '../../runtime/store/sql/row-statements.js';
import { SQLITE } from '../../runtime/store/sqlite/dialect.js';
import { ajv, at } from '../generator/openapi-ajv.js';
import type { OpenApi } from '../generator/openapi-document.js';

/** A parameter and the column that stores its value. */
export interface StoredParameter {
  readonly resource: Resource;
  readonly parameter: Parameter;
  readonly column: Column;
}

/** Whether a validation accepts a converted value. */
export type Validation = (value: unknown) => boolean;

/** Where the validations read their limits; a null control changes one of them. */
export interface Sources {
  readonly model: Model;
  readonly document: OpenApi;
  readonly schemaSql: string;
  readonly definitions: readonly AnyDefinition[];
}

export interface Validations {
  readonly document: Validation;
  readonly validator: Validation;
  /** The validator of updates. */
  readonly update: Validation;
  readonly table: Validation;
}

/**
 * How much of the validation the table can do:
 * `fully`;
 * `no less`: it accepts all that the schemas accept, but more: for json, which no CHECK reads, and for names of a choice;
 * `not`: ids (the foreign key checks whether the record exists), passwords (only their hash is stored), dates (all can be stored).
 */
export function reach({ column, parameter }: StoredParameter): 'fully' | 'no less' | 'not' {
  if (parameter.kind === 'json' || column.check?.rule === 'choice') return 'no less';
  return column.check === null ? 'not' : 'fully';
}

/** Every parameter of every create. */
export function storedParameters(model: Model): readonly StoredParameter[] {
  return model.resources.flatMap((resource) =>
    createParameters(resource.parameters).map((parameter) => {
      const column = resource.columns.find(({ name }) => name === parameter.name);
      if (column === undefined) throw new Error(`${resource.name}.${parameter.name} goes to no column`);
      return { resource, parameter, column };
    }),
  );
}

export const DEFINITIONS = generated.definitions;

/** The validations of any parameter, from one set of sources. `close` closes the database. */
export function openValidations(sources: Sources): { of(stored: StoredParameter): Validations; close(): void } {
  const instance = ajv(sources.document);
  // In draft 2020-12 this format is an annotation; the pattern beside it validates the value.
  instance.addFormat('uri', true);
  const db = new Database(':memory:');
  db.pragma('foreign_keys = OFF');
  db.exec(sources.schemaSql);
  for (const resource of sources.model.resources) insertSample(db, definitionOf(sources, resource), resource);
  const schemas = new Map<string, ValidateFunction>();
  return {
    of(stored) {
      const { resource, parameter } = stored;
      const definition = definitionOf(sources, resource);
      const required = sample(resource, ({ requiredOnCreate }) => requiredOnCreate);
      const updated = sample(resource, ({ requiredOnUpdate }) => requiredOnUpdate);
      const schema = schemas.get(resource.name) ?? instance.compile(at(`${resource.name}_create`));
      schemas.set(resource.name, schema);
      return {
        document: (value) => schema({ ...required, [parameter.name]: value }),
        validator: (value) => definition.validate.create({ ...required, [parameter.name]: value }),
        update: (value) => definition.validate.update({ ...updated, [parameter.name]: value }),
        table: tableValidation(db, definition, stored),
      };
    },
    close: () => db.close(),
  };
}

function tableValidation(
  db: Database.Database,
  definition: AnyDefinition,
  { resource, parameter, column }: StoredParameter,
): Validation {
  const update = db.prepare<[Scalar]>(`UPDATE "${resource.name}" SET "${column.name}" = ?`);
  const all = sample(resource, () => true);
  return (value) => {
    const row = definition.handlers.create({ ...all, [parameter.name]: value }, CONTEXT);
    try {
      update.run(row[column.name] ?? null);
      return true;
    } catch (error) {
      if (/^SQLITE_CONSTRAINT_(CHECK|DATATYPE|NOTNULL)$/.test((error as { code: string }).code)) return false;
      throw error;
    }
  };
}

/** Inserts a row in which values can be tried. */
function insertSample(db: Database.Database, definition: AnyDefinition, resource: Resource): void {
  db.prepare(insertStatement(SQLITE, definition)).run(
    definition.handlers.create(
      sample(resource, () => true),
      CONTEXT,
    ),
  );
}

function sample({ parameters }: Resource, wanted: (parameter: Parameter) => boolean): Record<string, unknown> {
  return Object.fromEntries(parameters.filter(wanted).map(({ name, example }) => [name, example]));
}

function definitionOf({ definitions }: Sources, { name }: Resource): AnyDefinition {
  const match = definitions.find((definition) => definition.name === name);
  if (match === undefined) throw new Error(`no definition of ${name}`);
  return match;
}

const UPLOAD = { name: 'sample', type: 'image/png', size: 1, width: 1, height: 1, hash: 'x' };
const CONTEXT: WriteContext = {
  id: 'sample',
  now: 0,
  user: 'somebody',
  upload: UPLOAD,
  token: null,
  random: () => 'random',
};
