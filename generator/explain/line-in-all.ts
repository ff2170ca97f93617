// Where a line of a file about all resources comes from: read off the file's own structure, by one row per file.

import type { Pointer } from '../load.js';
import type { GeneratedLine } from './generated-line.js';
import { pathAt } from './json-line.js';
import { explainName, originsOf } from './name.js';
import { explainRoute } from './route.js';
import { type Answer, joined, keyText } from './words.js';
import type { Workshop } from './workshop.js';

interface Asked extends GeneratedLine {
  readonly text: string;
}

type Reader = (shop: Workshop, asked: Asked) => Answer | null;

const READERS: Readonly<Record<string, Reader>> = {
  'schema.json': inSchema,
  'schema.sql': inSql,
  'openapi.json': inOpenapi,
  'index.ts': nearestName,
  'behaviour.ts': nearestName,
  'events.ts': nearestEvent,
  'validators/_events.ts': nearestEvent,
  'tests/_project.ts': nearestName,
};

/** @param head the line itself, which opens the answer */
export function lineInAll(shop: Workshop, asked: Asked, head: string): Answer {
  const found = READERS[asked.path]?.(shop, asked) ?? null;
  if (found !== null && 'found' in found) return { found: joined([head, found.found]) };
  return { found: joined([head, 'It belongs to the whole spec, or is the same for every spec.\n']) };
}

function inSchema(shop: Workshop, { text, line }: Asked): Answer | null {
  const [tables, at, columns, column] = pathAt(text, line);
  const schema = JSON.parse(text) as { tables: { name: string; columns: { name: string }[] }[] };
  const table = tables === 'tables' ? schema.tables[Number(at)] : undefined;
  const name = columns === 'columns' ? table?.columns[Number(column)]?.name : undefined;
  return table === undefined ? null : explainName(shop, name === undefined ? table.name : `${table.name}.${name}`);
}

function inSql(shop: Workshop, { text, line }: Asked): Answer | null {
  const lines = text.split('\n').slice(0, line);
  const own = lines.at(-1) ?? '';
  const index = /^CREATE .*INDEX .* ON "(\w+)" \("(\w+)"/.exec(own);
  if (index !== null) return explainName(shop, `${index[1]}.${index[2]}`);
  const table = /^CREATE TABLE "(\w+)"/.exec(lines.findLast((one) => one.startsWith('CREATE TABLE')) ?? '')?.[1];
  const column = /^ {2}"(\w+)"/.exec(own)?.[1];
  return table === undefined || own === ''
    ? null
    : explainName(shop, column === undefined ? table : `${table}.${column}`);
}

function inOpenapi(shop: Workshop, { text, line, out }: Asked): Answer | null {
  const [first, second, third, ...deeper] = pathAt(text, line);
  if (first === 'paths' && third !== undefined) {
    return explainRoute(shop, { method: String(third).toUpperCase(), path: String(second), out });
  }
  if (first !== 'components') return null;
  const names = [...shop.project.byName.keys()].filter(
    (name) => third === name || String(third).startsWith(`${name}_`),
  );
  const resource = names.sort((a, b) => b.length - a.length)[0];
  if (resource === undefined) return null;
  return innermost(shop, resource, deeper.map(String)) ?? explainName(shop, resource);
}

/** The last of the words that is a name of the resource. */
function innermost(shop: Workshop, resource: string, words: readonly string[]): Answer | null {
  const names = new Set(originsOf(shop, resource).map(({ name }) => name));
  const name = words.findLast((word) => names.has(word));
  return name === undefined ? null : explainName(shop, `${resource}.${name}`);
}

/** The last resource that was named up to the line. */
function nearestName(shop: Workshop, { text, line }: Asked): Answer | null {
  const name = nearest(text, line, [...shop.project.byName.keys()]);
  if (name === null) return null;
  const words = text.split('\n')[line - 1]?.match(/\w+/g) ?? [];
  return innermost(shop, name, words) ?? explainName(shop, name);
}

function nearestEvent(shop: Workshop, { text, line }: Asked): Answer | null {
  const { events } = shop.project;
  // Validators go by the numbers of the events that somebody can hear of.
  const owned = shop.model.events.filter(({ owner }) => owner !== null).map((event) => event.name);
  const names = new Map(
    [...owned, ...owned.map((_, at) => `event${at + 1}`)].map((word, at) => [word, owned[at % owned.length]]),
  );
  const name = names.get(nearest(text, line, [...names.keys()]) ?? '');
  if (name === undefined || events === null) return null;
  const pointer: Pointer = ['events', name];
  return { found: keyText(shop, { pointer, place: events.document.locate(pointer, 'key') }) };
}

function nearest(text: string, line: number, names: readonly string[]): string | null {
  const known = new Set(names);
  const words = text.split('\n').slice(0, line).reverse();
  for (const one of words) {
    const found = one.match(/\w+/g)?.find((word) => known.has(word));
    if (found !== undefined) return found;
  }
  return null;
}
