// A property that is computed when the record is read: a copy, a count, sum or greatest value over a list, or a text composed
// of other properties.

import type { RawField, RawResource } from '../../language/language.js';
import { type Aggregate, aggregateOf } from '../../language/normalize.js';
import type { Property } from '../model.js';
import { type FieldContext, type FieldKind, type FieldParts, KEYS, PLAIN } from './kind.js';
import { lookup } from './lookup.js';
import { ID_EXAMPLE, viewKeyOf } from './record-id.js';
import { recordsOf } from './record-list.js';

export const computed: FieldKind = {
  ...PLAIN,
  makes: 'A property computed when the record is read, by exactly one of `copy`, `count`, `sum`, `latest` and `text`.',
  keys: [...KEYS.shown, 'shown_as', 'copy', 'count', 'sum', 'latest', 'text'],
  derived: true,
  sortable: false,
  expects: () => 'a value',
  schema: () => ({}),
  validationSchema: () => ({}),
  shown: () => ({}),
  example: () => null,
  columns: () => [],
  expand,
};

type DerivedProperty = Pick<Property, 'source' | 'schema' | 'example' | 'nullable'>;

function expand(name: string, field: RawField, place: FieldContext): FieldParts {
  const derived = derive(field, place);
  const shown = { description: field.description ?? '', view: viewKeyOf(field), whenSet: false };
  return { properties: [name, ...(field.shown_as ?? [])].map((as) => ({ name: as, ...shown, ...derived })) };
}

function derive(field: RawField, place: FieldContext): DerivedProperty {
  const { copy, text = '' } = field;
  if (copy !== undefined) return copied(copy, place);
  const aggregate = aggregateOf(field);
  return aggregate === null ? composed(text, place) : aggregated(aggregate, place);
}

/** `event` of the record itself, or `set.identity` of the record to which a reference refers. */
function copied(path: string, place: FieldContext): DerivedProperty {
  const [first, second] = path.split('.') as [string, string?];
  if (second === undefined)
    return { ...shownAs(place.resource, first, place), source: { kind: 'column', column: first } };
  const reference = place.resource.fields.get(first);
  const target = lookup(place.spec).byName.get(reference?.to ?? '');
  if (!reference || !target) throw new Error(`copy of ${path} passed the checks without a reference`);
  const shown = shownAs(target, second, place);
  return {
    ...shown,
    nullable: shown.nullable || place.kindOf(reference).mayBeEmpty(reference),
    source: { kind: 'copy', through: `${first}_id`, column: second },
  };
}

/** A text or a number, shown like the source of the copy. */
function shownAs(target: RawResource, name: string, { kindOf }: FieldContext): Omit<DerivedProperty, 'source'> {
  const field = target.fields.get(name);
  if (!field || !kindOf(field).copyable) throw new Error(`copy of ${name} passed the checks without a value`);
  const kind = kindOf(field);
  return {
    schema: kind.shown(field),
    example: field.example ?? field.default ?? kind.example(field, name),
    nullable: kind.mayBeEmpty(field),
  };
}

function aggregated({ key, list, field }: Aggregate, place: FieldContext): DerivedProperty {
  const { resource, kindOf } = place;
  const recordList = recordsOf(list, resource.resource, place);
  if (recordList === null) throw new Error(`${key} of ${list} passed the checks without a list`);
  const { child, records: of } = recordList;
  if (key === 'count') {
    return { source: { kind: key, ...of }, schema: { type: 'integer', minimum: 0 }, example: 0, nullable: false };
  }
  const source = { kind: key, ...of, column: field ?? '' };
  if (key === 'sum') return { source, schema: { type: 'integer' }, example: 0, nullable: false };
  const value = child.fields.get(field ?? '');
  if (!value) throw new Error(`${key} of ${list} passed the checks without a field`);
  return {
    source,
    schema: kindOf(value).shown(value),
    example: value.example ?? kindOf(value).example(value, ''),
    nullable: true,
  };
}

/** `/files/{id}/{key}`. */
function composed(template: string, { resource, kindOf }: FieldContext): DerivedProperty {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    source: { kind: 'template', text: template },
    schema: { type: 'string' },
    example: template.replaceAll(/\{\w+\}/g, ID_EXAMPLE),
    nullable: names.some((name) => mayBeEmpty(resource, name, kindOf)),
  };
}

/** The whole text is null if any of its properties is. */
function mayBeEmpty({ fields }: RawResource, column: string, kindOf: FieldContext['kindOf']): boolean {
  const field = fields.get(column) ?? fields.get(column.replace(/_id$/, ''));
  return field !== undefined && kindOf(field).mayBeEmpty(field);
}
