// Compares two JSON Schemas keyword by keyword: does the new one allow less, more, or something else?

import { isMap } from '../../runtime/contract/is-map.js';
import type { JsonSchema } from '../model/model.js';

/** fewer: some values are no longer allowed. more: some values are newly allowed. other: both, or the effect is unclear. */
export type Effect = 'fewer' | 'more' | 'other';

export interface SchemaChange {
  /** Path within the schema, `rows` or `items.game_id`; empty for the schema itself. */
  readonly at: string;
  readonly keyword: string;
  /** `max 99 -> 50`. */
  readonly message: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Whether it breaks clients that send such a value, and clients that read one. */
  readonly breaks: { readonly request: boolean; readonly response: boolean };
}

/**
 * Allowing less breaks senders; allowing more breaks readers, who may have sized a field or switch over the values of an enum.
 * oasdiff and redocly agree.
 */
const BREAKS: Readonly<Record<Effect, SchemaChange['breaks']>> = {
  fewer: { request: true, response: false },
  more: { request: false, response: true },
  other: { request: true, response: true },
};
const HARMLESS = { request: false, response: false } as const;

/** @returns the differences that affect values; descriptions, examples and defaults do not */
export function schemaChanges(from: JsonSchema, to: JsonSchema, at = ''): readonly SchemaChange[] {
  const type = typeChange(from, to, at);
  if (type?.effect === 'other') return [type.change];
  const changes = KEYWORDS.flatMap(([keyword, row]) => keywordChange(keyword, row, { from, to, at }));
  // Listed values are not limited further.
  const isListed = from.enum !== undefined || to.enum !== undefined;
  const relevant = isListed ? changes.filter(({ keyword }) => keyword === 'enum') : changes;
  return [...(type ? [type.change] : []), ...relevant, ...nestedChanges(from, to, at)];
}

interface Row {
  /** Its name in messages. */
  readonly label: string;
  effect(from: unknown, to: unknown): Effect | null;
}

interface Sides {
  readonly from: JsonSchema;
  readonly to: JsonSchema;
  readonly at: string;
}

const lower = (label: string): Row => ({ label, effect: (from, to) => bound(from, to, 'fewer') });
const upper = (label: string): Row => ({ label, effect: (from, to) => bound(from, to, 'more') });
/** A minimum length or number of items, which is 0 by default. */
const minimumCount = (label: string): Row => ({ label, effect: (from, to) => bound(from ?? 0, to ?? 0, 'fewer') });
/** A text is neither narrower nor wider than another. */
const exact = (label: string): Row => ({
  label,
  effect: (from, to) => (same(from, to) ? null : from === undefined ? 'fewer' : to === undefined ? 'more' : 'other'),
});
const open = (value: unknown): boolean => value === undefined || value === true;

/** Every keyword that limits values; validators ignore all others. */
const ROWS: Readonly<Record<string, Row>> = {
  minimum: lower('min'),
  maximum: upper('max'),
  exclusiveMinimum: lower('exclusive min'),
  exclusiveMaximum: upper('exclusive max'),
  minLength: minimumCount('min length'),
  maxLength: upper('max length'),
  minItems: minimumCount('min items'),
  maxItems: upper('max items'),
  minProperties: minimumCount('min properties'),
  maxProperties: upper('max properties'),
  scale: upper('scale'),
  enum: { label: 'values', effect: listEffect },
  const: exact('constant'),
  pattern: exact('pattern'),
  format: exact('format'),
  multipleOf: exact('multiple of'),
  contentMediaType: exact('media type'),
  uniqueItems: { label: 'unique items', effect: (from, to) => presence(from === true, to === true) },
  additionalProperties: {
    label: 'further properties',
    effect: (from, to) =>
      open(from) && open(to) ? null : open(from) ? 'fewer' : open(to) ? 'more' : exact('').effect(from, to),
  },
  required: { label: 'required', effect: (from, to) => opposite(listEffect(from ?? [], to ?? [])) },
  ...Object.fromEntries(
    ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'prefixItems', 'contains', 'propertyNames'].map(
      (keyword) => [
        keyword,
        { label: keyword, effect: (from: unknown, to: unknown) => (same(from, to) ? null : 'other') },
      ],
    ),
  ),
};

const KEYWORDS = Object.entries(ROWS);

function keywordChange(keyword: string, { label, effect }: Row, { from, to, at }: Sides): readonly SchemaChange[] {
  // Nearly always; the answer is the same, and the effect need not be computed.
  if (from[keyword] === to[keyword]) return [];
  const direction = effect(from[keyword], to[keyword]);
  if (direction === null) return [];
  const values = { from: from[keyword], to: to[keyword] };
  return [
    {
      at,
      keyword,
      message: `${label} ${valueText(values.from)} -> ${valueText(values.to)}`,
      ...values,
      breaks: BREAKS[direction],
    },
  ];
}

function typeChange(from: JsonSchema, to: JsonSchema, at: string): { effect: Effect; change: SchemaChange } | null {
  const [old, now] = [types(from), types(to)];
  const lost = old.filter((one) => !includesType(now, one));
  const gained = now.filter((one) => !includesType(old, one));
  if (lost.length === 0 && gained.length === 0) return null;
  const effect: Effect = lost.length > 0 && gained.length > 0 ? 'other' : lost.length > 0 ? 'fewer' : 'more';
  const message = `type ${valueText(old.join(' or ') || undefined)} -> ${valueText(now.join(' or ') || undefined)}`;
  return { effect, change: { at, keyword: 'type', message, from: from.type, to: to.type, breaks: BREAKS[effect] } };
}

const ALL = ['array', 'boolean', 'number', 'object', 'string'];

function types({ type, $ref }: JsonSchema): readonly string[] {
  if (type === undefined) return $ref === undefined ? ALL : ['object'];
  return ((Array.isArray(type) ? type : [type]) as readonly string[]).filter((one) => one !== 'null');
}

function includesType(all: readonly string[], one: string): boolean {
  return all.includes(one) || (one === 'integer' && all.includes('number'));
}

/** Compares properties and items, each as a schema of its own. */
function nestedChanges(from: JsonSchema, to: JsonSchema, at: string): readonly SchemaChange[] {
  const [old, now] = [schemas(from.properties), schemas(to.properties)];
  const below = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(old, name));
  const both = Object.keys(old).filter((name) => Object.hasOwn(now, name));
  return [
    ...removed.map((name) =>
      member(below(name), 'is gone', { request: to.additionalProperties === false, response: true }),
    ),
    ...added.map((name) => member(below(name), 'is new', HARMLESS)),
    ...both.flatMap((name) => schemaChanges(old[name] ?? {}, now[name] ?? {}, below(name))),
    ...schemaChangesOfItems(from, to, below('items')),
  ];
}

function schemaChangesOfItems(from: JsonSchema, to: JsonSchema, at: string): readonly SchemaChange[] {
  if (from.items === undefined && to.items === undefined) return [];
  return schemaChanges(isMap(from.items) ? from.items : {}, isMap(to.items) ? to.items : {}, at);
}

function member(at: string, message: string, breaks: SchemaChange['breaks']): SchemaChange {
  return { at, keyword: 'properties', message, from: message === 'is gone', to: message === 'is new', breaks };
}

function schemas(value: unknown): Readonly<Record<string, JsonSchema>> {
  return isMap(value) ? (value as Record<string, JsonSchema>) : {};
}

function bound(from: unknown, to: unknown, raised: Effect): Effect | null {
  if (from === to) return null;
  const without = raised === 'more' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const number = (value: unknown): number => (typeof value === 'number' ? value : without);
  return number(to) > number(from) ? raised : opposite(raised);
}

/** Without a list, every value is allowed. */
function listEffect(from: unknown, to: unknown): Effect | null {
  if (!Array.isArray(from) || !Array.isArray(to)) return presence(Array.isArray(from), Array.isArray(to));
  const lost = from.some((value) => !to.includes(value));
  const gained = to.some((value) => !from.includes(value));
  return lost && gained ? 'other' : lost ? 'fewer' : gained ? 'more' : null;
}

function presence(from: boolean, to: boolean): Effect | null {
  return from === to ? null : to ? 'fewer' : 'more';
}

function opposite(effect: Effect): Effect;
function opposite(effect: Effect | null): Effect | null;
function opposite(effect: Effect | null): Effect | null {
  return effect === 'fewer' ? 'more' : effect === 'more' ? 'fewer' : effect;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A value as part of a message. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
