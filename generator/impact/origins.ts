// Where a value that no caller sent comes from: another record, an upload, a count; compared across renames.

import type { RawField } from '../language/language.js';
import { columnOf, defaultOf, kindOf } from '../model/kinds/kinds.js';
import type { Model, Resource } from '../model/model.js';
import { keyOf } from './sides.js';

export interface Origin {
  /** The same for the same columns, whatever they are called. */
  readonly key: string;
  /** As the descriptor has it, `copy: game.name`. */
  readonly says: string;
}

interface Home {
  readonly resource: Resource;
  readonly model: Model;
}

/** Of what a property shows; null: what stands in the column of its name. */
export function shownOrigin(name: string, home: Home): Origin | null {
  const { stated } = home.resource;
  const field = fieldOf(name, home.resource);
  if (field !== undefined && kindOf(field).derived) return computed(field, home);
  if (field !== undefined) return field.from === undefined ? null : { key: field.from, says: `from: ${field.from}` };
  const [other, shown] = [...stated.fields].find(([, one]) => one.shown_as?.includes(name)) ?? [];
  if (other === undefined || shown === undefined) return null;
  if (kindOf(shown).derived) return computed(shown, home);
  return { key: keyOf(home.resource, columnOf(other, shown)), says: `field: ${other}` };
}

/** Of what a parameter is when nobody sends it; null: a literal or nothing. */
export function defaultOrigin(name: string, home: Home): Origin | null {
  const field = fieldOf(name, home.resource);
  if (field === undefined) return null;
  const said = defaultOf(field);
  if (said.is === 'copied') return path(said.path, home);
  return said.is === 'session.user' || said.is === 'upload.name' ? { key: said.is, says: said.is } : null;
}

/** By the name of the field, or of the column of a reference. */
function fieldOf(name: string, { stated }: Resource): RawField | undefined {
  return stated.fields.get(name) ?? stated.fields.get(name.replace(/_id$/, ''));
}

function computed({ copy, count, text = '' }: RawField, home: Home): Origin {
  if (copy !== undefined) {
    const [first = '', second] = copy.split('.');
    const { key } = second === undefined ? { key: keyOf(home.resource, first) } : path([first, second], home);
    return { key: `copy ${key}`, says: `copy: ${copy}` };
  }
  if (count !== undefined) return { key: `count ${listKey(count, home)}`, says: `count: ${count}` };
  const key = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${keyOf(home.resource, name)}}`);
  return { key: `text ${key}`, says: `text: ${text}` };
}

function path([reference, field]: readonly [string, string], { resource, model }: Home): Origin {
  const column = `${reference}_id`;
  const to = resource.references.find((one) => one.column === column)?.to;
  const target = model.resources.find(({ name }) => name === to);
  const there = target === undefined ? field : keyOf(target, field);
  return { key: `${keyOf(resource, column)} ${there}`, says: `${reference}.${field}` };
}

/** A list by the reference it hangs by: its name may change. */
function listKey(name: string, { resource, model }: Home): string {
  const child = model.resources.find(({ lists }) => lists.some(isCounted));
  const list = child?.lists.find(isCounted);
  return child === undefined || list === undefined ? name : keyOf(child, list.by);

  function isCounted(list: { readonly parent: string; readonly name: string }): boolean {
    return list.parent === resource.name && list.name === name;
  }
}
