// Models what a maintainer does to a spec: names, and the item that each name means. Independent of the ledger; holds no test.
import type { RawField, RawResource } from '../../generator/language/language.js';

/** A field or a resource, independent of its name. The first gen assigns its numbers. */
export interface LedgerItem {
  readonly image: boolean;
  /** Fields of a resource; empty for a field. */
  readonly inside: Space;
  numbers: readonly number[];
}

type NamesById = ReadonlyMap<string, string | null>;

/** Names of one kind: of resources, or of the fields of one resource. */
export class Space {
  current = new Map<string, LedgerItem>();
  /** The names at the last gen. */
  private before = new Map<string, LedgerItem>();
  private retired = new Map<string, LedgerItem>();
  private readonly used = new Set<string>();
  private lastStatements: NamesById = new Map();

  /** The `was` that each descriptor needs, and stale ones if `keep` is set; null if the last gen followed a needed one. */
  statements(keep: boolean): NamesById | null {
    const words = new Map<string, string | null>();
    for (const [name, thing] of this.current) {
      const needed = this.needed(name, thing);
      const stale = this.lastStatements.get(name);
      const followed = this.before.has(name) && stale !== undefined;
      if (needed !== undefined && followed && stale === needed) return null;
      if (needed !== undefined) words.set(name, needed);
      else if (keep && followed && this.before.get(name) === thing) words.set(name, stale);
    }
    return words;
  }

  private needed(name: string, thing: LedgerItem): string | null | undefined {
    const earlier = nameOf(this.before, thing) ?? nameOf(this.retired, thing);
    if (earlier !== undefined) return this.before.get(name) === thing ? undefined : earlier;
    return this.used.has(name) ? null : undefined;
  }

  /** Records that gen has run with these statements. */
  recordGen(words: NamesById): void {
    const things = new Set(this.current.values());
    const removed = [...this.retired, ...this.before].filter(([, thing]) => !things.has(thing));
    this.retired = new Map(removed);
    this.before = new Map(this.current);
    this.lastStatements = words;
    for (const name of this.current.keys()) this.used.add(name);
  }

  /** Records that gen has run on the names of the last gen, without any statement. */
  recordSilentGen(): ReadonlyMap<string, LedgerItem> {
    this.lastStatements = new Map();
    return this.before;
  }

  /** The items that can be brought back, each with the only name that it can get, or null for any name. */
  removed(): { thing: LedgerItem; only: string | null }[] {
    const things = new Set(this.current.values());
    const all = [...this.retired.values()].filter((thing) => !things.has(thing));
    return all.map((thing) => ({ thing, only: this.onlyName(thing) }));
  }

  /** If another item had the name at the last gen, only that name tells the two apart. */
  onlyName(thing: LedgerItem): string | null {
    const name = nameOf(this.retired, thing);
    return name !== undefined && this.before.has(name) ? name : null;
  }
}

function nameOf(space: ReadonlyMap<string, LedgerItem>, thing: LedgerItem): string | undefined {
  return [...space].find(([, item]) => item === thing)?.[0];
}

export interface Edit {
  readonly what: 'add' | 'remove' | 'rename' | 'swap' | 'replace' | 'revive';
  readonly one: number;
  readonly other: number;
  readonly image: boolean;
}

/** Applies the edit where possible. `pool` holds the names to choose from. */
export function edit(space: Space, { what, one, other, image }: Edit, pool: readonly string[]): void {
  const { current } = space;
  const name1 = pick([...current.keys()], one);
  const name2 = pick([...current.keys()], other);
  const free = pick(
    pool.filter((name) => !current.has(name)),
    other,
  );
  const thing = name1 === undefined ? undefined : current.get(name1);
  if (what === 'add' && free !== undefined) current.set(free, fresh(image));
  if (what === 'revive') {
    const back = pick(space.removed(), one);
    const name = back?.only ?? free;
    if (back !== undefined && name !== undefined && !current.has(name)) current.set(name, back.thing);
    return;
  }
  if (name1 === undefined || thing === undefined) return;
  const second = name2 === undefined ? undefined : current.get(name2);
  const moved = what === 'rename' ? [thing] : what === 'swap' ? [thing, second] : [];
  if (moved.some((item) => item !== undefined && space.onlyName(item) !== null)) return;
  if (what === 'remove' || (what === 'rename' && free !== undefined)) current.delete(name1);
  if (what === 'rename' && free !== undefined) current.set(free, thing);
  if (what === 'replace') current.set(name1, fresh(image));
  if (what === 'swap' && name2 !== undefined && second !== undefined) current.set(name1, second).set(name2, thing);
}

function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(1, from.length)];
}

export function fresh(image: boolean): LedgerItem {
  return { image, inside: new Space(), numbers: [] };
}

/** The columns of a field, as the page of the language names them. */
export function columns(name: string, { image }: LedgerItem): readonly string[] {
  return image ? [`${name}_id`, `has_proofed_${name}`] : [name];
}

/** The input of one gen. */
export interface LedgerResult {
  readonly descriptors: readonly RawResource[];
  /** The items in the descriptors. */
  readonly shown: ReadonlyMap<string, { readonly thing: LedgerItem; readonly fields: ReadonlyMap<string, LedgerItem> }>;
  /** Whether all statements were made; one that the last gen followed is made again only in the gen after this one. */
  readonly complete: boolean;
  /** Must be called after gen has run. */
  settle(): void;
}

/**
 * The descriptors of the next gen. A statement that was followed once is repeated only after a gen without it, even inside a
 * resource that was removed before that gen: the resource comes back as it was, and is edited afterwards.
 */
export function descriptors(resources: Space, keep: boolean): LedgerResult {
  const was = resources.statements(keep);
  const things = was === null ? resources.recordSilentGen() : resources.current;
  const items = [...things].map(([name, thing]) => {
    const words = was === null ? null : thing.inside.statements(keep);
    const fields = words === null ? thing.inside.recordSilentGen() : thing.inside.current;
    return { name, thing, fields, words };
  });
  return {
    descriptors: items
      .map((item) => descriptor(item.name, item.fields, item.words ?? NOTHING, was ?? NOTHING))
      .sort(byName),
    shown: new Map(items.map(({ name, thing, fields }) => [name, { thing, fields }])),
    complete: items.every(({ words }) => words !== null),
    settle() {
      if (was !== null) resources.recordGen(was);
      for (const { thing, words } of items) if (words !== null) thing.inside.recordGen(words);
    },
  };
}

const NOTHING: NamesById = new Map();

function byName(a: RawResource, b: RawResource): number {
  return a.resource < b.resource ? -1 : 1;
}

function descriptor(
  name: string,
  inside: ReadonlyMap<string, LedgerItem>,
  words: NamesById,
  was: NamesById,
): RawResource {
  const fields = new Map([...inside].map(([field, thing]) => [field, raw(thing, words, field)] as const));
  return { ...EMPTY, resource: name, fields, ...(was.has(name) ? { was: was.get(name) ?? null } : {}) };
}

function raw({ image }: LedgerItem, words: NamesById, name: string): RawField {
  return { kind: image ? 'image' : 'text', ...(words.has(name) ? { was: words.get(name) ?? null } : {}) };
}

/** The keys of every descriptor besides its name and fields. */
export const EMPTY = {
  title: 'Test',
  summary: 'Test.',
  extends: [],
  plural: 'tests',
  source: 'test.yaml',
  access: { rights: new Map() },
  actions: new Map(),
} as const;
