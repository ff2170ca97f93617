// The forms of values in JSON, and which changes of form earlier callers do not notice (D68).

import type { ValueForm } from '../../runtime/contract/versions.js';
import type { JsonSchema, Parameter, Property } from '../model/model.js';

/** What a record shows of a field, and what callers send of it. */
export interface FieldHalves {
  readonly property: Property | undefined;
  readonly parameter: Parameter | undefined;
}

/** @returns undefined for a list, a map, or any value */
export function formOf({ property, parameter }: FieldHalves): ValueForm | undefined {
  if (property?.source.kind === 'bit') return 'bit';
  const { type, format } = (parameter ?? property)?.schema ?? ({} as JsonSchema);
  if (Array.isArray(type)) return undefined;
  return FORMS[`${type} ${format}`] ?? FORMS[String(type)];
}

/** Forms by their type and format; a type alone stands for any other format. */
const FORMS: Readonly<Record<string, ValueForm>> = {
  string: 'string',
  integer: 'number',
  boolean: 'flag',
  'string date-time': 'date-time',
  'string date': 'full-date',
};

/** The keywords of JSON Schema that the form implies. */
export function schemaOfForm(form: ValueForm | undefined): JsonSchema {
  const found = Object.entries(FORMS).find(([, one]) => one === form);
  if (found === undefined) return form === 'bit' ? { type: 'boolean' } : {};
  const [type, format] = found[0].split(' ');
  return { type, ...(format === undefined ? {} : { format }) };
}

/** Earlier forms, each with the forms of today whose values can all be shown in it, or in which all its values can be sent. */
const EXACT: Readonly<Record<'shown' | 'sent', Readonly<Partial<Record<ValueForm, readonly ValueForm[]>>>>> = {
  shown: {
    string: ['number', 'flag', 'date-time', 'full-date'],
    number: ['flag'],
    'date-time': ['full-date'],
    bit: ['flag'],
    flag: ['bit'],
  },
  sent: { 'full-date': ['date-time'], bit: ['flag'], flag: ['bit'] },
};

export function isExact(
  earlier: ValueForm | undefined,
  today: ValueForm | undefined,
  direction: keyof typeof EXACT,
): boolean {
  return earlier !== undefined && today !== undefined && EXACT[direction][earlier]?.includes(today) === true;
}
