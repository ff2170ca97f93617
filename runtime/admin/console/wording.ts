// The names of resources, records and values in words, from their definitions; and the texts by which records are found.

import type { Role } from '../../auth/roles.js';
import type { AnyDefinition } from '../../contract/definition.js';
import { wordsOf } from '../../operations/options.js';
import { count } from './view.js';

/**
 * `Acrylic shapes`, `Art tests of a game`: the noun of the title as the descriptor's plural has it, or else as English forms it.
 */
export function pluralTitle({ name, plural, title }: Pick<AnyDefinition, 'name' | 'plural' | 'title'>): string {
  const [, before = '', noun = '', after = ''] =
    /^(.*?)([\p{L}\p{N}]+)((?: (?:of|for|in|with) .*)?)$/u.exec(title) ?? [];
  const squeezed = before.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const isNamed = after === '' && squeezed + noun.toLowerCase() === name && plural.startsWith(squeezed);
  const many = isNamed ? plural.slice(squeezed.length) : pluralOf(noun);
  return `${before}${before === '' ? capital(many) : many}${after}`;
}

function pluralOf(noun: string): string {
  if (noun === 'die') return 'dice';
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A title within a sentence; abbreviations stay as they are. */
export function inSentence(title: string): string {
  return /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

/** `1 game`, `2 games`. */
export function countText(definition: AnyDefinition, number: number): string {
  return count(number, inSentence(definition.title), inSentence(pluralTitle(definition)));
}

/** The property with the name of a record; null: records have only an id. */
export function nameProperty({ properties, columns, references, options }: AnyDefinition): string | null {
  if (properties.name !== undefined) return 'name';
  const isText = (name: string): boolean => {
    const property = properties[name];
    const isPlain = property?.kind === 'column' && columns[property.column]?.type === 'text' && !(name in options);
    return isPlain && name !== 'id' && property.view !== 'created' && !references.some(({ column }) => column === name);
  };
  const names = Object.keys(properties).filter(isText);
  return names.find((name) => name.endsWith('name')) ?? names[0] ?? null;
}

/** The column of the property with the name; null: the property has no column of its own. */
export function nameColumn(definition: AnyDefinition): string | null {
  const property = definition.properties[nameProperty(definition) ?? ''];
  return property?.kind === 'column' ? property.column : null;
}

/** The columns by which records are found: their name, and those that the descriptor adds. */
export function textColumns(definition: AnyDefinition): readonly string[] {
  const name = nameColumn(definition);
  return [...new Set([...(name === null ? [] : [name]), ...(definition.finds ?? [])])];
}

/** Each role as a sentence names a user who has it: “made Bob support”. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  ...{ admin: 'an administrator', support: 'support', readonly: 'readonly', none: 'an ordinary user' },
};

/** The text to search for; empty: nothing. */
export function searchText(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, LONGEST) : '';
}

const LONGEST = 100;

/** The values of a choice or a flag, as forms send them; undefined: the parameter takes other values. */
export function choiceValues({ parameters, options }: AnyDefinition, name: string): readonly string[] | undefined {
  return parameters[name]?.kind === 'boolean' ? ['true', 'false'] : options[name]?.map(String);
}

/** The title of a value of a choice or a flag. */
export function choiceTitle({ titles }: Pick<AnyDefinition, 'titles'>, name: string, value: string): string {
  return titles?.[name]?.[value] ?? FLAGS[value] ?? wordsOf(value);
}

const FLAGS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };
