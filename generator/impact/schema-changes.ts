// Two JSON Schemas compared keyword by keyword: does the new one allow less, more, or something else? A table of keywords.

import type { JsonSchema } from '../model/model.js';

/** fewer: values that were allowed are not. more: values are allowed that were not. other: both, or nobody can tell. */
export type Move = 'fewer' | 'more' | 'other';

export interface SchemaChange {
  /** Below the schema, `rows` or `items.game_id`; empty for the schema itself. */
  readonly at: string;
  readonly keyword: string;
  /** `max 99 -> 50`. */
  readonly says: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Whether it breaks who sends such a value, and who reads one. */
  readonly breaks: { readonly request: boolean; readonly response: boolean };
}

/**
 * Less allowed breaks who sends, more allowed breaks who reads: a reader may have sized a field, or switch over the
 * values of an enum. oasdiff and redocly judge so too.
 */
const BREAKS: Readonly<Record<Move, SchemaChange['breaks']>> = {
  fewer: { request: true, response: false },
  more: { request: false, response: true },
  other: { request: true, response: true },
};
const HARMLESS = { request: false, response: false } as const;

/** @returns the differences that matter to values; descriptions, examples and defaults do not */
export function schemaChanges(from: JsonSchema, to: JsonSchema, at = ''): readonly SchemaChange[] {
  const type = typeChange(from, to, at);
  if (type?.move === 'other') return [type.change];
  const own = Object.entries(KEYWORDS).flatMap(([keyword, row]) => keywordChange(keyword, row, { from, to, at }));
  // Values that are listed have no further limits.
  const listed = from.enum !== undefined || to.enum !== undefined;
  const kept = listed ? own.filter(({ keyword }) => keyword === 'enum') : own;
  return [...(type ? [type.change] : []), ...kept, ...inside(from, to, at)];
}

interface Row {
  /** What people call it. */
  readonly says: string;
  move(from: unknown, to: unknown): Move | null;
}

interface Sides {
  readonly from: JsonSchema;
  readonly to: JsonSchema;
  readonly at: string;
}

const lower = (says: string): Row => ({ says, move: (from, to) => bound(from, to, 'fewer') });
const upper = (says: string): Row => ({ says, move: (from, to) => bound(from, to, 'more') });
/** A text that cannot be weighed against another. */
const exact = (says: string): Row => ({
  says,
  move: (from, to) => (same(from, to) ? null : from === undefined ? 'fewer' : to === undefined ? 'more' : 'other'),
});
const open = (value: unknown): boolean => value === undefined || value === true;

/** Every keyword that limits values. A keyword that is none of these says nothing that validators judge by. */
const KEYWORDS: Readonly<Record<string, Row>> = {
  minimum: lower('min'),
  maximum: upper('max'),
  exclusiveMinimum: lower('exclusive min'),
  exclusiveMaximum: upper('exclusive max'),
  minLength: lower('min length'),
  maxLength: upper('max length'),
  minItems: lower('min items'),
  maxItems: upper('max items'),
  minProperties: lower('min properties'),
  maxProperties: upper('max properties'),
  scale: upper('scale'),
  enum: { says: 'values', move: listMove },
  const: exact('constant'),
  pattern: exact('pattern'),
  format: exact('format'),
  multipleOf: exact('multiple of'),
  contentMediaType: exact('media type'),
  uniqueItems: { says: 'unique items', move: (from, to) => flag(from === true, to === true) },
  additionalProperties: {
    says: 'further properties',
    move: (from, to) =>
      open(from) && open(to) ? null : open(from) ? 'fewer' : open(to) ? 'more' : exact('').move(from, to),
  },
  required: { says: 'required', move: (from, to) => opposite(listMove(from ?? [], to ?? [])) },
  ...Object.fromEntries(
    ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'prefixItems', 'contains', 'propertyNames'].map(
      (keyword) => [
        keyword,
        { says: keyword, move: (from: unknown, to: unknown) => (same(from, to) ? null : 'other') },
      ],
    ),
  ),
};

function keywordChange(keyword: string, { says, move }: Row, { from, to, at }: Sides): readonly SchemaChange[] {
  const found = move(from[keyword], to[keyword]);
  if (found === null) return [];
  const values = { from: from[keyword], to: to[keyword] };
  return [
    { at, keyword, says: `${says} ${shown(values.from)} -> ${shown(values.to)}`, ...values, breaks: BREAKS[found] },
  ];
}

function typeChange(from: JsonSchema, to: JsonSchema, at: string): { move: Move; change: SchemaChange } | null {
  const [old, now] = [types(from), types(to)];
  const lost = old.filter((one) => !takes(now, one));
  const gained = now.filter((one) => !takes(old, one));
  if (lost.length === 0 && gained.length === 0) return null;
  const move: Move = lost.length > 0 && gained.length > 0 ? 'other' : lost.length > 0 ? 'fewer' : 'more';
  const says = `type ${shown(old.join(' or ') || undefined)} -> ${shown(now.join(' or ') || undefined)}`;
  return { move, change: { at, keyword: 'type', says, from: from.type, to: to.type, breaks: BREAKS[move] } };
}

const ALL = ['array', 'boolean', 'number', 'object', 'string'];

function types({ type, $ref }: JsonSchema): readonly string[] {
  if (type === undefined) return $ref === undefined ? ALL : ['object'];
  return ((Array.isArray(type) ? type : [type]) as readonly string[]).filter((one) => one !== 'null');
}

function takes(all: readonly string[], one: string): boolean {
  return all.includes(one) || (one === 'integer' && all.includes('number'));
}

/** Properties and items, each compared as a schema of its own. */
function inside(from: JsonSchema, to: JsonSchema, at: string): readonly SchemaChange[] {
  const [old, now] = [schemas(from.properties), schemas(to.properties)];
  const below = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const gone = Object.keys(old).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(old, name));
  const both = Object.keys(old).filter((name) => Object.hasOwn(now, name));
  return [
    ...gone.map((name) =>
      member(below(name), 'is gone', { request: to.additionalProperties === false, response: true }),
    ),
    ...added.map((name) => member(below(name), 'is new', HARMLESS)),
    ...both.flatMap((name) => schemaChanges(old[name] ?? {}, now[name] ?? {}, below(name))),
    ...schemaChangesOfItems(from, to, below('items')),
  ];
}

function schemaChangesOfItems(from: JsonSchema, to: JsonSchema, at: string): readonly SchemaChange[] {
  if (from.items === undefined && to.items === undefined) return [];
  return schemaChanges(isSchema(from.items) ? from.items : {}, isSchema(to.items) ? to.items : {}, at);
}

function member(at: string, says: string, breaks: SchemaChange['breaks']): SchemaChange {
  return { at, keyword: 'properties', says, from: says === 'is gone', to: says === 'is new', breaks };
}

function schemas(value: unknown): Readonly<Record<string, JsonSchema>> {
  return isSchema(value) ? (value as Record<string, JsonSchema>) : {};
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bound(from: unknown, to: unknown, raised: Move): Move | null {
  if (from === to) return null;
  const without = raised === 'more' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const number = (value: unknown): number => (typeof value === 'number' ? value : without);
  return number(to) > number(from) ? raised : opposite(raised);
}

/** Without a list every value is in it. */
function listMove(from: unknown, to: unknown): Move | null {
  if (!Array.isArray(from) || !Array.isArray(to)) return flag(Array.isArray(from), Array.isArray(to));
  const lost = from.some((value) => !to.includes(value));
  const gained = to.some((value) => !from.includes(value));
  return lost && gained ? 'other' : lost ? 'fewer' : gained ? 'more' : null;
}

function flag(from: boolean, to: boolean): Move | null {
  return from === to ? null : to ? 'fewer' : 'more';
}

function opposite(move: Move): Move;
function opposite(move: Move | null): Move | null;
function opposite(move: Move | null): Move | null {
  return move === 'fewer' ? 'more' : move === 'more' ? 'fewer' : move;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A value in a sentence. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
