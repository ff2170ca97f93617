// The table of all files that gen writes; the renderer, the manifest, the git attributes and gen's summary read it.

import type { Model, Resource } from '../model/model.js';
import type { Shape } from '../versions/shape.js';
import { behaviourCode } from './behaviour.js';
import { catalogueTypes, clientCode, clientTypes, packageJson } from './client/client.js';
import type { Method } from './client/methods.js';
import { readmeText } from './client/readme.js';
import { resourceTypes } from './client/resource.js';
import { eventsCode, eventValidators } from './events.js';
import { indexCode } from './index.js';
import { openapiText } from './openapi/document.js';
import { printJson } from './print.js';
import { resourceCode } from './resource.js';
import { schemaStatements, schemaText } from './schema.js';
import { factsText, testCode } from './tests.js';
import { type Remember, validatorsCode } from './validators.js';
import { versionText } from './versions.js';

/** What outputs are made from besides the model: import paths relative to the output folder, and cached texts. */
export interface OutputContext {
  /** Import path of the kit: `punchboard/kit`, or a path with `/` relative to the output folder. */
  readonly kit: string;
  /** The spec's own functions; null if it has none. */
  readonly functions: string | null;
  /** Whether the spec is that of Punchboard's own service. */
  readonly isOwn: boolean;
  /** The code that ajv wrote for a schema. */
  readonly remember: Remember;
  /** The versions that were cut, oldest first. */
  readonly versions: readonly Shape[];
  /** A part that is the same in every client, compiled. */
  copied(part: 'core' | 'callbacks'): { readonly code: string; readonly types: string };
  /** The licence text of these parts. */
  readonly licence: string;
}

interface Row {
  /** `*` is the name of a resource, or the date of a version. */
  readonly path: string;
  /**
   * `people`: an edit changes only a few lines, which `gen --check` prints; `machines`: diffs collapse the file
   * (.gitattributes).
   */
  readonly readers?: 'people' | 'machines';
  /**
   * Where an edit of the file belongs; `*` is the name of the resource, `{functions}` the result of `functionsPlace`. Absent
   * for the descriptors.
   */
  readonly source?: string;
}

/** A file of every resource. */
export interface ResourceOutput extends Row {
  text(resource: Resource, around: Pick<OutputContext, 'kit' | 'isOwn' | 'remember'>): string;
}

/** A file of every resource's client, which also has methods from other resources. */
export interface ClientOutput extends Row {
  text(resource: Resource, methods: readonly Method[]): string;
}

export interface ModelOutput extends Row {
  /** Always, if absent. */
  isWanted?(model: Model): boolean;
  text(model: Model, around: OutputContext): string;
}

const TEST_SOURCE = 'spec/resources/*.yaml; a test of your own goes into a file below tests/';
const EVENT_SOURCE =
  'the payloads of spec/events.yaml; what publishes an event, in a lifecycle function or action of {functions}';
const TABLE_SOURCE = 'the fields of spec/resources/, which determine the tables';

export const RESOURCE_OUTPUTS: readonly ResourceOutput[] = [
  {
    path: 'resources/*.ts',
    readers: 'people',
    source:
      'spec/resources/*.yaml; behaviour that a descriptor cannot express, in a lifecycle function or action of {functions}',
    text: (resource, { kit, isOwn }) => resourceCode(resource, fromBelow(kit), functionsPlace(isOwn)),
  },
  {
    path: 'validators/*.ts',
    readers: 'machines',
    source:
      'the limits of the fields in spec/resources/*.yaml; a rule between fields, in beforeCreate and beforeUpdate of {functions}',
    text: (resource, { kit, remember }) => validatorsCode(resource, fromBelow(kit), remember),
  },
  { path: 'tests/*.test.ts', source: TEST_SOURCE, text: ({ stated }, { kit }) => testCode(stated, engine(kit)) },
];

export const CLIENT_OUTPUTS: readonly ClientOutput[] = [{ path: 'client/resources/*.d.ts', text: resourceTypes }];

export const MODEL_OUTPUTS: readonly ModelOutput[] = [
  { path: 'index.ts', text: indexCode },
  {
    path: 'behaviour.ts',
    source: '`lifecycle` and `actions` of spec/resources/; the functions themselves, in {functions}',
    text: (model, { kit }) => behaviourCode(model, kit),
  },
  { path: 'events.ts', source: EVENT_SOURCE, text: (model, { kit }) => eventsCode(model, kit) },
  // A resource's name starts with a letter.
  {
    path: 'validators/_events.ts',
    readers: 'machines',
    source: EVENT_SOURCE,
    text: (model, { kit, remember }) => eventValidators(model, fromBelow(kit), remember),
  },
  { path: 'tests/facts.json', readers: 'machines', text: factsText },
  { path: 'schema.json', readers: 'machines', source: TABLE_SOURCE, text: schemaText },
  {
    path: 'openapi.json',
    readers: 'machines',
    source: 'spec/resources/, where the descriptions and examples of the document come from',
    text: (model) => openapiText(model),
  },
  {
    path: 'schema.sql',
    readers: 'people',
    source: TABLE_SOURCE,
    text: (model) => `${SQL_HEADER}${schemaStatements(model).join(';\n\n')};\n`,
  },
  { path: 'client/index.js', text: clientCode },
  { path: 'client/index.d.ts', text: clientTypes },
  { path: 'client/core.js', readers: 'machines', text: (_, { copied }) => copied('core').code },
  { path: 'client/core.d.ts', readers: 'machines', text: (_, { copied }) => copied('core').types },
  { path: 'client/callbacks.js', readers: 'machines', text: (_, { copied }) => copied('callbacks').code },
  { path: 'client/callbacks.d.ts', readers: 'machines', text: (_, { copied }) => copied('callbacks').types },
  { path: 'client/package.json', text: (model) => printJson(packageJson(model)) },
  { path: 'client/README.md', text: readmeText },
  { path: 'client/LICENSE', text: (_, { licence }) => licence },
  {
    path: 'client/catalogue.d.ts',
    isWanted: ({ catalogue }) => catalogue !== null,
    text: ({ catalogue }) => (catalogue === null ? '' : catalogueTypes(catalogue)),
  },
];

/** Files that each version has (D68). */
export const VERSION_OUTPUTS: readonly (Row & { text(shape: Shape, model: Model): string })[] = [
  {
    path: 'versions/*.json',
    readers: 'machines',
    source: 'spec/resources/: what was cut stays as it is, and this says how it differs from them',
    text: versionText,
  },
];

/** Written after the other outputs, from their contents. */
const LAST_OUTPUTS: readonly Row[] = [{ path: 'build.ts', readers: 'machines' }, { path: 'manifest.json' }];

/** Rows for one path precede rows for every resource, whose pattern may match the path, too. */
export const OUTPUTS: readonly Row[] = [
  ...MODEL_OUTPUTS,
  ...LAST_OUTPUTS,
  ...VERSION_OUTPUTS,
  ...RESOURCE_OUTPUTS,
  ...CLIENT_OUTPUTS,
];

/** @returns the row of a path of the output folder, and the name of the resource; null if it is not an output */
export function outputAt(path: string): { readonly row: Row; readonly resource: string } | null {
  for (const row of OUTPUTS) {
    const [before = '', after] = row.path.split('*');
    const resource = after === undefined ? '' : path.slice(before.length, path.length - after.length);
    if (row.path.replace('*', resource) === path && /^[^/.]*$/.test(resource)) return { row, resource };
  }
  return null;
}

const SQL_HEADER = '-- Generated by `punchboard gen` from spec/. Do not edit: change the descriptors.\n\n';

/** Where hand-written functions are; `*` is the name of a resource. @param isOwn as in `OutputContext` */
export function functionsPlace(isOwn: boolean): string {
  return isOwn ? 'runtime/resources/*.ts' : 'spec/functions/';
}

/** The same import path, relative to a folder of the output folder. */
function fromBelow(path: string): string {
  return path.startsWith('.') ? `../${path}` : path;
}

/** Import path of the tests' engine, relative to the folder of the tests; it begins like the kit's. */
function engine(kit: string): string {
  return kit === KIT
    ? TESTING
    : fromBelow(kit).replace(/runtime\/contract\/kit\.js$/, 'tests/properties/properties.js');
}

/** What generated code imports where Punchboard is installed; generated tests import `TESTING`. */
export const KIT = 'punchboard/kit';
const TESTING = 'punchboard/testing';
