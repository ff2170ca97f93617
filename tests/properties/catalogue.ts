// The catalogue: the rows of the identities of a resource that extends its convention, going by the descriptors alone.

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
    // Another resource may have the row.
    const isOwn = body.create_api === `/api/${facts.resource}`;
    findings.outcome(`row of ${identity}`, row === null ? 'none' : sorted(row), isOwn ? sorted(body) : 'none');
    if (said !== 'ok') findings.outcome(`row of ${identity}`, 'not_found', said);
    if (row !== null) rows.push(row);
  }
  await lists(trial, all, rows);
};

/** The list has the same rows; by an attribute that is true or false, those where it is true. */
async function lists(
  { world, facts, findings }: PropertyTrial,
  all: CatalogueFacts,
  rows: readonly Row[],
): Promise<void> {
  const list = async (query: string) => {
    const { said, body } = await world.service.ask(ANONYMOUS, 'GET', `${all.path}${query}`);
    const own = `/api/${facts.resource}`;
    return { said, rows: Array.isArray(body) ? body.filter((row: Row) => row.create_api === own) : [] };
  };
  const flags = Object.keys(all.attributes).filter((name) => all.attributes[name]?.kind === 'boolean');
  for (const [query, expected] of [
    ['', rows] as const,
    ...flags.map((flag) => [`?${flag}_only=1`, rows.filter((row) => row[flag] === true)] as const),
    ...flags.map((flag) => [`?${flag}_only=false`, rows] as const),
  ]) {
    const { said, rows: came } = await list(query);
    const names = (of: readonly Row[]) => text(of.map(({ identity }) => identity));
    findings.outcome(`catalogue${query}`, `ok ${names(expected)}`, `${said} ${names(came)}`);
  }
  for (const flag of flags) {
    findings.outcome(`${flag}_only=perhaps`, `${flag}_only invalid`, (await list(`?${flag}_only=perhaps`)).said);
  }
}

function rowOf({ world, facts }: PropertyTrial, all: CatalogueFacts, identity: string): Row | null {
  const { size, title, catalogue: own = {} } = facts.attributes?.[identity] ?? {};
  if (own === false) return null;
  const { title: pattern = '{words}', ...shared } = facts.catalogue ?? {};
  const attributes = Object.keys(all.attributes).map(
    (name) => [name, valueIn(all, name, { ...shared, ...own })] as const,
  );
  const { finished_inches, ...shown } = Object.fromEntries(attributes);
  const pixels = size?.split('x').map(Number);
  const pieces = childOf(world.project, facts.resource);
  const list =
    listsOf(facts).find(({ where }) => text(where) === text({ identity })) ??
    listsOf(facts).find(({ where }) => text(where) === '{}');
  return {
    identity,
    name: title ?? named(identity, String(pattern)),
    create_api: `/api/${facts.resource}`,
    ...(list === undefined ? {} : { relationship: list.name }),
    ...(pixels === undefined ? {} : { size: { pixels, finished_inches: finished_inches ?? pixels.map(inches) } }),
    sides: sidesOf(facts, pieces?.facts),
    ...(pieces === undefined ? {} : { child: pieces.child }),
    ...shown,
    _relationships: { self: `${all.path}/${encodeURIComponent(identity)}` },
  };
}

function valueIn({ attributes }: CatalogueFacts, name: string, said: Row): unknown {
  const { kind, default: otherwise = kind === 'boolean' ? false : null } = attributes[name] ?? {};
  const value = said[name] ?? otherwise;
  return kind === 'decimal' && value !== null ? String(value) : value;
}

function named(identity: string, pattern: string): string {
  const [, front = '', digits = ''] = /^(.*?)(\d*)$/.exec(identity) ?? [];
  if (!pattern.includes('{digits}')) return pattern.split('{words}').join(words(identity));
  if (digits === '') return words(identity);
  return pattern.split('{words}').join(words(front)).split('{digits}').join(digits);
}

/** A quarter of an inch is cut off, at 300 pixels to the inch; to a thousandth. */
function inches(pixels: number): number {
  return pixels < 75 ? 0 : Number(((pixels - 75) / 300).toFixed(3));
}

function childOf({ resources }: ProjectFacts, parent: string) {
  for (const facts of resources) {
    const list = listsOf(facts).find((one) => one.parent === parent && text(one.where) === '{}');
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

/** Pieces have their sides where the set has an image of the same name, which they then take from it. */
function sidesOf(facts: Facts, pieces: Facts | undefined) {
  const images = (of: Facts | undefined) =>
    Object.keys(of?.fields ?? {}).filter((name) => hasProof(of?.fields[name] ?? { kind: 'text' }));
  const inner = images(pieces);
  const all = [...images(facts).filter((name) => !inner.includes(name)), ...inner];
  return all.map((field) => ({ field, label: labelled(field) }));
}

function labelled(field: string): string {
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
