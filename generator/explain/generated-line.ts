// Where a line of a generated file comes from: the keys without which it would be other or missing.

import { suggest } from '../diagnostics/suggest.js';
import type { Pointer } from '../load.js';
import { renderResource } from '../render.js';
import { lineInAll } from './line-in-all.js';
import { traces } from './traces.js';
import { modelWithout } from './without.js';
import { type Answer, joined, keyText, meant } from './words.js';
import { fieldPointer, fieldsOf, type Key, keysOf, subjectOf, type Workshop } from './workshop.js';

export interface GeneratedLine {
  /** Below the folder of generated code. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The folder as the caller knows it. */
  readonly out: string;
}

export function explainGeneratedLine(shop: Workshop, asked: GeneratedLine): Answer {
  const { path, line, out } = asked;
  const output = shop.outputs.find((one) => one.path === path);
  if (output === undefined) {
    return {
      unknown: `gen does not make ${out}/${path}${meant(
        suggest(
          path,
          shop.outputs.map((one) => one.path),
        ),
      )}`,
    };
  }
  const lines = output.text.replace(/\n$/, '').split('\n');
  if (line < 1 || line > lines.length) return { unknown: `${out}/${path} has ${lines.length} lines` };
  const head = `${out}/${path}:${line}: ${(lines[line - 1] ?? '').trim().slice(0, 160)}\n`;
  const own = /^(?:resources|validators|tests)\/([a-z][a-z0-9]*)(?:\.test)?\.ts$/.exec(path)?.[1];
  if (own === undefined) return lineInAll(shop, { text: output.text, ...asked }, head);
  const keys = makers(shop, own, asked);
  const none = `It is the same for every resource; no key of ${shop.pathOf(subjectOf(shop, own).document.path)} makes it.\n`;
  return { found: joined([head, ...(keys.length === 0 ? [none] : keys.map((key) => keyText(shop, key)))]) };
}

/** The keys that make a line of a resource's own file: fields, else other keys. */
function makers(shop: Workshop, resource: string, asked: GeneratedLine): readonly Key[] {
  const subject = subjectOf(shop, resource);
  const fields = [...fieldsOf(subject.raw).keys()].map((name) => fieldPointer(subject.raw, name));
  const makes = (pointer: Pointer): boolean => isMaking(shop, resource, pointer, asked);
  const found = fields.filter(makes);
  const pointers = found.length > 0 ? found : furtherKeys(shop, resource).filter(makes);
  return pointers.flatMap((pointer) => keysOf(subject, pointer));
}

function isMaking(shop: Workshop, resource: string, pointer: Pointer, { path, line }: GeneratedLine): boolean {
  const without = modelWithout(shop, [resource], pointer)?.resources.find(({ name }) => name === resource);
  if (without === undefined) return false;
  const outputs = shop.outputs.filter((output) => output.path === path);
  return (traces(outputs, renderResource(without, shop.kit)).get(path) ?? []).includes(line);
}

/** Keys one by one where they have parts of their own. */
const IN_PARTS = new Set(['access', 'operations', 'paths', 'actions']);

function furtherKeys(shop: Workshop, resource: string): readonly Pointer[] {
  const { merged } = subjectOf(shop, resource);
  const keys = Object.keys(merged).filter((key) => !['resource', 'extends', 'fields', 'identities'].includes(key));
  return keys.flatMap((key): Pointer[] => {
    const value = merged[key];
    if (!IN_PARTS.has(key) || typeof value !== 'object' || value === null) return [[key]];
    return Object.keys(value).map((inner) => [key, inner]);
  });
}
