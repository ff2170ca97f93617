// The catalogue in the document: its two operations, the schema of a row, and the parameters that choose rows.

import type { CatalogueRow } from '../../../runtime/contract/catalogue.js';
import type { JsonSchema, Model, ModelCatalogue, Resource } from '../../model/model.js';
import { FIXED_PROMISES } from '../../model/promises.js';
import { array, component, type Fragment, object, text, withNull } from './fragment.js';
import { operation, type PathOperation } from './operation.js';
import { jsonResponse } from './responses.js';

export const CATALOGUE_TAG: Fragment = {
  name: 'Catalogue',
  description: 'The products that can be created; open to everyone.',
};

/** @returns its operations; empty if the project has no catalogue */
export function catalogueOperations({ catalogue, resources }: Model): readonly PathOperation[] {
  if (catalogue === null) return [];
  const { path } = catalogue;
  const row = component('schemas', ROW);
  const tags = ['Catalogue'];
  const all = operation(FIXED_PROMISES.catalogue, {
    tags,
    operationId: 'getCatalogue',
    summary: 'Get the catalogue',
    description: 'All rows together, in a stable order.',
    parameters: flagsOf(catalogue).map((name) => component('parameters', parameterName(name))),
    responses: { 200: jsonResponse('The rows.', { type: 'array', items: row }) },
  });
  const rowOperation = operation(FIXED_PROMISES.row, {
    tags,
    operationId: 'getCatalogueRow',
    summary: 'Get a row of the catalogue',
    description: 'The row of one identity.',
    parameters: [{ ...IDENTITY, example: rowExample(catalogue, resources).identity }],
    responses: { 200: jsonResponse('The row.', row) },
  });
  return [
    { path, method: 'get', operation: all },
    { path: `${path}/{identity}`, method: 'get', operation: rowOperation },
  ];
}

const ROW = '_catalogue_row';
const IDENTITY = {
  name: 'identity',
  in: 'path',
  required: true,
  description: 'The identity.',
  schema: { type: 'string' },
};

/** The boolean attributes, by which rows can be filtered. */
export function flagsOf({ attributes }: ModelCatalogue): readonly string[] {
  return attributes.filter(({ schema }) => schema.type === 'boolean').map(({ name }) => name);
}

function parameterName(flag: string): string {
  return `_catalogue_${flag}_only`;
}

/** @returns `components.parameters` */
export function catalogueParameters({ catalogue }: Model): Fragment {
  const flags = catalogue === null ? [] : flagsOf(catalogue);
  const entries = flags.map((flag) => {
    const schema = { type: 'boolean', default: false };
    const description = `Only rows whose ${flag} is true.`;
    return [parameterName(flag), { name: `${flag}_only`, in: 'query', description, schema, example: true }] as const;
  });
  return Object.fromEntries(entries);
}

/** @returns `components.schemas` */
export function catalogueSchemas({ catalogue, resources }: Model): Fragment {
  return catalogue === null ? {} : { [ROW]: { ...rowSchema(catalogue), examples: [rowExample(catalogue, resources)] } };
}

/** An attribute of this name is shown as the size. */
const FINISHED = 'finished_inches';

/** The schema of a row, from which the client's types are made, too. */
export function rowSchema({ attributes }: ModelCatalogue): JsonSchema {
  const ofAttributes = attributes.map(({ name, schema, nullable, description }) => {
    const shown = nullable ? withNull(schema) : schema;
    return [name, { ...shown, ...(description === '' ? {} : { description }) }] as const;
  });
  const { [FINISHED]: finished, ...shown } = Object.fromEntries(ofAttributes);
  const properties: Readonly<Record<keyof CatalogueRow, JsonSchema>> = {
    ...FIXED,
    size: { ...FIXED.size, properties: { ...SIZES, [FINISHED]: finished ?? SIZES[FINISHED] } },
  };
  const optional = ['relationship', 'size', 'child'];
  const all = { ...properties, ...shown };
  return object(
    { title: 'Row of the catalogue', description: 'One identity, and how a record of it is created.' },
    all,
    { required: Object.keys(all).filter((name) => !optional.includes(name)) },
  );
}

const SIZES = {
  pixels: array({ type: 'integer' }, 'Width and height of its images.'),
  [FINISHED]: array({ type: 'number' }, 'Width and height of the finished product.'),
};

const FIXED = {
  identity: text('Identity of the records that it describes.'),
  name: text('Display name.'),
  create_api: text('Path at which a record of it is created.'),
  relationship: text('Name of its list, below the record that it belongs to.'),
  size: object({ description: 'Its size, where it is known.' }, SIZES),
  sides: array(
    object({ description: 'A side.' }, { field: text('Name of the image.'), label: text('Display name of the side.') }),
    'The printed sides, including those of its pieces.',
  ),
  child: object(
    { description: 'How its pieces are created, if it has any.' },
    {
      name: text('What a piece is called.'),
      create_api: text('Path at which a piece is created.'),
      parent_id: text('Parameter of a piece that names the record it belongs to.'),
      relationship: text('Name of the list of pieces, below the record.'),
    },
  ),
  _relationships: object({ description: 'Paths.' }, { self: text('Path of the row.') }),
} as const satisfies Readonly<Record<keyof CatalogueRow, JsonSchema>>;

function rowExample({ path, attributes }: ModelCatalogue, resources: readonly Resource[]): Fragment {
  const resource = resources.find(({ catalogue }) => catalogue !== null && catalogue.rows.length > 0);
  const identity = resource?.catalogue?.rows[0] ?? 'Example';
  const shown = attributes.filter(({ name }) => name !== FINISHED).map(({ name, example }) => [name, example]);
  return {
    identity,
    name: resource?.titles.identity?.[identity] ?? identity,
    create_api: `/api/${resource?.name ?? 'example'}`,
    size: { pixels: [825, 1125], [FINISHED]: attributes.find(({ name }) => name === FINISHED)?.example ?? [2.5, 3.5] },
    sides: [{ field: 'face', label: 'Face' }],
    _relationships: { self: `${path}/${encodeURIComponent(identity)}` },
    ...Object.fromEntries(shown),
  };
}
