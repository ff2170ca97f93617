// The parameters of paths and queries as reusable components: ids, paging, order, filters, includes (D21 to D23).

import type { Dates } from '../../../runtime/contract/definition.js';
import { type FilterParameter, filterParameters, type RangeBound } from '../../../runtime/contract/ranges.js';
import { MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS, SEARCH_PARAMETERS } from '../../../runtime/schema/text-words.js';
import { memoizeByObject } from '../../memoize.js';
import { deprecationSentence } from '../../model/deprecation.js';
import { ID_EXAMPLE } from '../../model/kinds/record-id.js';
import type { JsonSchema, Resource } from '../../model/model.js';
import { MOST_ORDER_TERMS, SHARED_PARAMETERS, type SharedParameter } from '../../model/promises.js';
import { deprecationKeys } from './deprecations.js';
import { component, type Fragment, sentences } from './fragment.js';

/** @returns parameters that do not belong to a resource */
export function sharedParameters(): Fragment {
  const entries = Object.entries(SHARED_PARAMETERS).map(([name, { in: place, schema }]) => {
    const { description, example, ...style } = PARAMETER_TEXTS[name as SharedParameter];
    const required = place === 'path' ? { required: true } : {};
    return [name, { name, in: place, ...required, description, ...style, schema, example }] as const;
  });
  return Object.fromEntries(entries);
}

interface ParameterText {
  readonly description: string;
  readonly example: unknown;
  readonly style?: 'form';
  readonly explode?: boolean;
}

const PARAMETER_TEXTS: Readonly<Record<SharedParameter, ParameterText>> = {
  id: { description: 'Id of the record.', example: ID_EXAMPLE },
  _include_related_objects: {
    description:
      '`1` or `true` adds every related object to the record; names, repeated or comma-separated, add only those.',
    style: 'form',
    explode: true,
    example: ['1'],
  },
  _include_relationships: {
    description: '`1` or `true` adds `_relationships` to the record: the paths of related records and lists.',
    example: '1',
  },
  _use_this_id: {
    description: 'Id of the new record, chosen by an administrator; by default the service assigns one.',
    example: 'A4D9F1E0-52C2-11E3-9F5B-3D1C6B6A7C20',
  },
  _page_number: { description: 'Page number, starting at 1; it reaches the first 10,000 records.', example: 1 },
  _items_per_page: { description: 'Records per page.', example: 25 },
  _sort_order: { description: '`desc` reverses the order.', example: 'desc' },
  _cursor: {
    description:
      'The `next_cursor` of an earlier page, instead of a page number; continues after that page in the same order.',
    example: 'WyIwYTAxIl0',
  },
  'If-Match': {
    description:
      'The `ETag` of the record as it was read, several after commas, or `*` for any: if the record has changed since, nothing is done, and the answer is 412.',
    example: '"7"',
  },
  'Idempotency-Key': {
    description:
      'A key of your choice: within 24 hours, a request sent again with it gets the first answer and is not carried out again. Quotes around it are ignored.',
    example: '5f0c6a1e-7d52-4a0e-9d0b-6f1f3f0a9b11',
  },
};

/** @returns `<resource>_order_by` and one parameter per filter, for a listed resource */
export function listParameters(resource: Resource): Fragment {
  const { name, sortable } = resource;
  const deprecated = sortable.filter((one) => deprecationOfColumn(resource, one) !== undefined);
  const description = sentences(
    'Properties to order by, descending after `-`; ties are broken by id.',
    deprecated.length === 0 ? '' : `Deprecated: ${deprecated.join(', ')}.`,
  );
  const terms = sortable.flatMap((one) => [one, `-${one}`]);
  const schema = {
    type: 'array',
    items: { type: 'string', enum: terms },
    maxItems: MOST_ORDER_TERMS,
    uniqueItems: true,
  };
  const example = sortable.slice(0, 1);
  const order = { name: '_order_by', in: 'query', description, style: 'form', explode: false, schema, example };
  const filters = filterParameters(resource).map((filter) => [
    filterComponent(resource, filter),
    filterParameter(resource, filter),
  ]);
  return { ...(sortable.length === 0 ? {} : { [`${name}_order_by`]: order }), ...Object.fromEntries(filters) };
}

/** References to the parameters that all lists of the resource share. */
export const listReferences = memoizeByObject((resource: Resource): readonly Fragment[] => {
  const names = [
    ...(resource.sortable.length === 0 ? [] : [`${resource.name}_order_by`]),
    ...filterParameters(resource).map((one) => filterComponent(resource, one)),
  ];
  return names.map((one) => component('parameters', one));
});

/** The parameters of the search of all records, which a resource may offer (D44). */
export function searchParameters({ whole, properties }: Resource): readonly Fragment[] {
  const { search } = whole ?? {};
  if (search === undefined) return [];
  const [name, other] = SEARCH_PARAMETERS;
  const description = `Only records with all of these words, at most ${MAX_SEARCH_WORDS}, in ${search.join(' or ')}: a word of at least three letters also finds those that it begins, and any part of a word is found in Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese; case and accents do not matter. Of very many, only the first are found, and \`complete\` is false.`;
  const example = String(properties.find((one) => one.name === search[0])?.example ?? 'word');
  const schema = { type: 'string', maxLength: MAX_SEARCH_LENGTH };
  return [
    { name, in: 'query', description, schema, example },
    { name: other, in: 'query', description: `Another name of \`${name}\`.`, schema, example },
  ];
}

const BOUND_WORDS: Readonly<Record<RangeBound, string>> = { gte: 'at least', gt: 'above', lte: 'at most', lt: 'below' };

function filterComponent({ name }: Resource, { column, bound }: FilterParameter): string {
  return `${name}_where_${column}${bound === null ? '' : `_${bound}`}`;
}

function filterParameter(resource: Resource, { name, column, bound }: FilterParameter): Fragment {
  const { parameters, properties } = resource;
  const described = properties.find((one) => one.name === column) ?? parameters.find((one) => one.name === column);
  const schema = withoutLimits(described?.schema ?? { type: 'string' });
  const deprecation = deprecationOfColumn(resource, column);
  const which = bound === null ? `with this ${column}` : `whose ${column} is ${BOUND_WORDS[bound]} this`;
  const description = sentences(`Only records ${which}.`, deprecation ? deprecationSentence(deprecation) : '');
  const example = described?.example;
  return {
    name,
    in: 'query',
    description,
    schema,
    ...(example === undefined ? {} : { example }),
    ...deprecationKeys(deprecation),
  };
}

/** A column's value in the path of a fetch. */
export function pathParameter(resource: Resource, column: string): Fragment {
  const value = filterParameter(resource, { name: column, column, bound: null });
  return { ...value, in: 'path', required: true, description: `The ${column} of the record.` };
}

/** Records may hold values that can no longer be sent (D45), and asking for a value that no record has is not a mistake. */
function withoutLimits({ type, format, 'x-extensible-enum': values }: JsonSchema): JsonSchema {
  const [plainType = 'string'] = [type].flat().filter((one) => one !== 'null');
  return {
    type: plainType,
    ...(format === undefined ? {} : { format }),
    ...(values === undefined ? {} : { 'x-extensible-enum': values }),
  };
}

function deprecationOfColumn({ deprecations }: Resource, column: string): Dates | undefined {
  return deprecations.find((one) => one.action === undefined && one.value === undefined && one.names.includes(column));
}
