// Finds where a value that no caller sent comes from (another record, an upload, a count), in a form that survives renames.

import type { RawField } from '../language/language.js';
import { aggregateOf } from '../language/normalize.js';
import { defaultOfField, kindOf } from '../model/kinds/kinds.js';
import type { Model, Resource } from '../model/model.js';
import { columnOf, propertyKey } from '../versions/shape.js';
import { keyOf } from './sides.js';

export interface Origin {
  /** Independent of renames: equal if the columns are the same. */
  readonly key: string;
  /** As the descriptor states it: `copy: game.name`. */
  readonly text: string;
}

interface Context {
  readonly resource: Resource;
  readonly model: Model;
}

/** Origin of the value that a property shows; null if it is the column of the same name. */
export function propertyOrigin(name: string, { resource, model }: Context): Origin | null {
  const field = fieldOf(name, resource);
  if (field !== undefined && !kindOf(field).derived)
    return field.from === undefined ? null : { key: field.from, text: `from: ${field.from}` };
  const property = resource.properties.find((one) => one.name === name);
  const [other, raw] = [...resource.stated.fields].find(([, one]) => one.shown_as?.includes(name)) ?? [name, field];
  if (property === undefined || raw === undefined) return null;
  const text = kindOf(raw).derived ? statedText(raw) : `field: ${other}`;
  return { key: String(propertyKey(resource, property, model)), text };
}

/** Origin of a parameter's default; null if the default is a literal, or there is none. */
export function defaultOrigin(name: string, { resource, model }: Context): Origin | null {
  const field = fieldOf(name, resource);
  if (field === undefined) return null;
  const value = defaultOfField(field);
  if (value.is !== 'copied')
    return value.is === 'session.user' || value.is === 'upload.name' ? { key: value.is, text: value.is } : null;
  const { through = '', column = '' } = columnOf(resource, name)?.copies ?? {};
  const to = resource.references.find((one) => one.column === through)?.to;
  const target = model.resources.find((one) => one.name === to);
  const source = target === undefined ? column : keyOf(target, column);
  return { key: `${keyOf(resource, through)} ${source}`, text: value.path.join('.') };
}

/** Finds a field by its name or by the column of its reference. */
function fieldOf(name: string, { stated }: Resource): RawField | undefined {
  return stated.fields.get(name) ?? stated.fields.get(name.replace(/_id$/, ''));
}

function statedText(field: RawField): string {
  const { copy, text } = field;
  const aggregate = aggregateOf(field);
  if (copy !== undefined) return `copy: ${copy}`;
  return aggregate === null ? `text: ${text}` : `${aggregate.key}: ${field[aggregate.key]}`;
}
