// The catalogue: the rows of the identities of a resource that extends its convention, derived from the descriptors alone.

import type { CatalogueFacts, Facts, ProjectFacts } from './facts.js';
import { columnOf, hasProof, listsOf } from './reading.js';
import { ANONYMOUS } from './service.js';
import { type PropertyTrial, type Section, text } from './trial.js';
import { words } from './uniques.js';

type Row = Readonly<Record<string, unknown>>;

export const catalogue: Section = async (trial) => {
  const { world, facts, findings } = trial;
  const { catalogue: all } = world.project;
  if (all === undefined) return;
  const identities = facts.extends?.includes(all.of) ? (facts.identities ?? []) : [];
  const rows: Row[] = [];
  for (const identity of identities) {
    const row = rowOf(trial, all, identity);
    const { said, body } = await world.service.ask(ANONYMOUS, 'GET', `${all.path}/${encodeURIComponent(identity)}`);
    // The row may belong to another resource.
    const isOwn = body.create_api === `/api/${facts.resource}`;
    findings.outcome(`row of ${identity}`, row === null ? 'none' : sorted(row), isOwn ? sorted(body) : 'none');
    if (said !== 'ok') findings.outcome(`row of ${identity}`, 'not_found', said);
    if (row !== null) rows.push(row);
  }
  await lists(trial, all, rows);
};

/** The list has the same rows; filtered by a boolean attribute, those in which it is true. */
async function lists(
  { world, facts, findings }: PropertyTrial,
  all: CatalogueFacts,
  rows: readonly Row[],
): Promise<void> {
  const list = async (query: string) => {
    const { said, body } = await world.service.ask(ANONYMOUS, 'GET', `${all.path}${query}`);
    const path = `/api/${facts.resource}`;
    return { said, rows: Array.isArray(body) ? body.filter((row: Row) => row.create_api === path) : [] };
  };
  const flags = Object.keys(all.attributes).filter((name) => all.attributes[name]?.kind === 'boolean');
  for (const [query, expected] of [
    ['', rows] as const,
    ...flags.map((flag) => [`?${flag}_only=1`, rows.filter((row) => row[flag] === true)] as const),
    ...flags.map((flag) => [`?${flag}_only=false`, rows] as const),
  ]) {
    const { said, rows: listed } = await list(query);
    const names = (of: readonly Row[]) => text(of.map(({ identity }) => identity));
    findings.outcome(`catalogue${query}`, `ok ${names(expected)}`, `${said} ${names(listed)}`);
  }
  for (const flag of flags) {
    findings.outcome(`${flag}_only=perhaps`, `${flag}_only invalid`, (await list(`?${flag}_only=perhaps`)).said);
  }
}

function rowOf({ world, facts }: PropertyTrial, all: CatalogueFacts, identity: string): Row | null {
  const { size, title, catalogue: ownRow = {} } = facts.attributes?.[identity] ?? {};
  if (ownRow === false) return null;
  const { title: pattern = '{words}', ...shared } = facts.catalogue ?? {};
  const attributes = Object.keys(all.attributes).map(
    (name) => [name, valueIn(all, name, { ...shared, ...ownRow })] as const,
  );
  const { finished_inches, ...shown } = Object.fromEntries(attributes);
  const pixels = size?.split('x').map(Number);
  const pieces = childOf(world.project, facts.resource);
  const list =
    listsOf(facts).find(({ where }) => text(where) === text({ identity })) ??
    listsOf(facts).find(({ where }) => text(where) === '{}');
  return {
    identity,
    name: title ?? nameOf(identity, String(pattern)),
    create_api: `/api/${facts.resource}`,
    ...(list === undefined ? {} : { relationship: list.name }),
    ...(pixels === undefined ? {} : { size: { pixels, finished_inches: finished_inches ?? pixels.map(inches) } }),
    sides: sidesOf(facts, pieces?.facts),
    ...(pieces === undefined ? {} : { child: pieces.child }),
    ...shown,
    _relationships: { self: `${all.path}/${encodeURIComponent(identity)}` },
  };
}

function valueIn({ attributes }: CatalogueFacts, name: string, row: Row): unknown {
  const { kind, default: otherwise = kind === 'boolean' ? false : null } = attributes[name] ?? {};
  const value = row[name] ?? otherwise;
  return kind === 'decimal' && value !== null ? String(value) : value;
}

function nameOf(identity: string, pattern: string): string {
  const [, front = '', digits = ''] = /^(.*?)(\d*)$/.exec(identity) ?? [];
  if (!pattern.includes('{digits}')) return pattern.split('{words}').join(words(identity));
  if (digits === '') return words(identity);
  return pattern.split('{words}').join(words(front)).split('{digits}').join(digits);
}

/** The size without the quarter of an inch that is cut off, at 300 pixels to the inch, to a thousandth. */
function inches(pixels: number): number {
  return pixels < 75 ? 0 : Number(((pixels - 75) / 300).toFixed(3));
}

function childOf({ resources }: ProjectFacts, parent: string) {
  for (const facts of resources) {
    const list = listsOf(facts).find((candidate) => candidate.parent === parent && text(candidate.where) === '{}');
    if (list === undefined || facts.fields[list.by]?.place !== true) continue;
    const child = {
      create_api: `/api/${facts.resource}`,
      parent_id: columnOf(facts, list.by),
      relationship: list.name,
    };
    return { facts, child };
  }
  return undefined;
}

/** A side that the pieces have too is one of the pieces', which take the image of the same name from the set. */
function sidesOf(facts: Facts, pieces: Facts | undefined) {
  const images = (of: Facts | undefined) =>
    Object.keys(of?.fields ?? {}).filter((name) => hasProof(of?.fields[name] ?? { kind: 'text' }));
  const inner = images(pieces);
  const all = [...images(facts).filter((name) => !inner.includes(name)), ...inner];
  return all.map((field) => ({ field, label: labelOf(field) }));
}

function labelOf(field: string): string {
  const each = words(field).split(' ');
  return each.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ');
}

/** The title of pieces is documentation, which the facts leave out. */
function sorted(row: Row): string {
  const { child, ...rest } = row;
  const { name: _, ...shown } = (child ?? {}) as Row;
  const all = { ...rest, ...(child === undefined ? {} : { child: shown }) };
  return text(Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1))));
}
