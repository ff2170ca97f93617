// Finds where a value that no caller sent comes from (another record, an upload, a count), in a form that survives renames.

import type { RawField } from '../language/language.js';
import { type Aggregate, aggregateOf } from '../language/normalize.js';
import { columnOf, defaultOf, kindOf } from '../model/kinds/kinds.js';
import type { Model, Resource } from '../model/model.js';
import { keyOf } from './sides.js';

export interface Origin {
  /** The same for the same columns under any names. */
  readonly key: string;
  /** As the descriptor states it: `copy: game.name`. */
  readonly text: string;
}

interface Context {
  readonly resource: Resource;
  readonly model: Model;
}

/** Origin of what a property shows; null: the column of the same name. */
export function shownOrigin(name: string, context: Context): Origin | null {
  const { stated } = context.resource;
  const field = fieldOf(name, context.resource);
  if (field !== undefined && kindOf(field).derived) return computed(field, context);
  if (field !== undefined) return field.from === undefined ? null : { key: field.from, text: `from: ${field.from}` };
  const [other, shown] = [...stated.fields].find(([, one]) => one.shown_as?.includes(name)) ?? [];
  if (other === undefined || shown === undefined) return null;
  if (kindOf(shown).derived) return computed(shown, context);
  return { key: keyOf(context.resource, columnOf(other, shown)), text: `field: ${other}` };
}

/** Origin of a parameter's default; null: the default is a literal, or there is none. */
export function defaultOrigin(name: string, context: Context): Origin | null {
  const field = fieldOf(name, context.resource);
  if (field === undefined) return null;
  const value = defaultOf(field);
  if (value.is === 'copied') return path(value.path, context);
  return value.is === 'session.user' || value.is === 'upload.name' ? { key: value.is, text: value.is } : null;
}

/** Finds a field by its name or by the column of its reference. */
function fieldOf(name: string, { stated }: Resource): RawField | undefined {
  return stated.fields.get(name) ?? stated.fields.get(name.replace(/_id$/, ''));
}

function computed(field: RawField, context: Context): Origin {
  const { copy, text = '' } = field;
  const aggregate = aggregateOf(field);
  if (copy !== undefined) {
    const [first = '', second] = copy.split('.');
    const { key } = second === undefined ? { key: keyOf(context.resource, first) } : path([first, second], context);
    return { key: `copy ${key}`, text: `copy: ${copy}` };
  }
  if (aggregate !== null) {
    const { key } = aggregate;
    return { key: `${key} ${listKey(aggregate, context)}`, text: `${key}: ${field[key]}` };
  }
  const key = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${keyOf(context.resource, name)}}`);
  return { key: `text ${key}`, text: `text: ${text}` };
}

function path([reference, field]: readonly [string, string], { resource, model }: Context): Origin {
  const column = `${reference}_id`;
  const to = resource.references.find((one) => one.column === column)?.to;
  const target = model.resources.find(({ name }) => name === to);
  const source = target === undefined ? field : keyOf(target, field);
  return { key: `${keyOf(resource, column)} ${source}`, text: `${reference}.${field}` };
}

/** Identifies a list by its reference and its conditions, since its name may change. */
function listKey({ list: name, field }: Aggregate, { resource, model }: Context): string {
  const child = model.resources.find(({ lists }) => lists.some(isCounted));
  const list = child?.lists.find(isCounted);
  if (child === undefined || list === undefined) return name;
  const conditions = Object.entries(list.where).map(([column, value]) => `${keyOf(child, column)} ${value}`);
  return [keyOf(child, list.by), ...conditions, ...(field === null ? [] : [keyOf(child, field)])].join(' ');

  function isCounted(list: { readonly parent: string; readonly name: string }): boolean {
    return list.parent === resource.name && list.name === name;
  }
}
