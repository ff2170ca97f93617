// What a maintainer does to a spec, as a model: names, and the thing each stands for. Knows no ledger; holds no test.
import type { RawField, RawResource } from '../../generator/language/language.js';

/** A field or a resource, whatever its name. Numbers are what the first gen gave it. */
export interface LedgerItem {
  readonly image: boolean;
  /** Fields of a resource; empty for a field. */
  readonly inside: Space;
  numbers: readonly number[];
}

type NamesById = ReadonlyMap<string, string | null>;

/** Names of one kind: of resources, or of the fields of one resource. */
export class Space {
  now = new Map<string, LedgerItem>();
  /** As the last gen left it. */
  private before = new Map<string, LedgerItem>();
  private retired = new Map<string, LedgerItem>();
  private readonly used = new Set<string>();
  private words: NamesById = new Map();

  /** What the descriptors must say; stale words may stay. Null where the same word has been followed already. */
  said(keep: boolean): NamesById | null {
    const words = new Map<string, string | null>();
    for (const [name, thing] of this.now) {
      const needed = this.needed(name, thing);
      const stale = this.words.get(name);
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

  /** A gen has run, and these were the words. */
  settled(words: NamesById): void {
    const things = new Set(this.now.values());
    const gone = [...this.retired, ...this.before].filter(([, thing]) => !things.has(thing));
    this.retired = new Map(gone);
    this.before = new Map(this.now);
    this.words = words;
    for (const name of this.now.keys()) this.used.add(name);
  }

  /** A gen has run on what was there at the last one, without any word. */
  silenced(): ReadonlyMap<string, LedgerItem> {
    this.words = new Map();
    return this.before;
  }

  /** Things that can be brought back, with the name each can be given; null: any. */
  gone(): { thing: LedgerItem; only: string | null }[] {
    const things = new Set(this.now.values());
    const all = [...this.retired.values()].filter((thing) => !things.has(thing));
    return all.map((thing) => ({ thing, only: this.only(thing) }));
  }

  /** Where another thing had the name at the last gen, that name alone says which of the two is meant. */
  only(thing: LedgerItem): string | null {
    const name = nameOf(this.retired, thing);
    return name !== undefined && this.before.has(name) ? name : null;
  }
}

function nameOf(space: ReadonlyMap<string, LedgerItem>, thing: LedgerItem): string | undefined {
  return [...space].find(([, one]) => one === thing)?.[0];
}

export interface Edit {
  readonly what: 'add' | 'remove' | 'rename' | 'swap' | 'replace' | 'revive';
  readonly one: number;
  readonly other: number;
  readonly image: boolean;
}

/** Does the edit where it can be done. `pool` are the names there are. */
export function edit(space: Space, { what, one, other, image }: Edit, pool: readonly string[]): void {
  const { now } = space;
  const here = pick([...now.keys()], one);
  const there = pick([...now.keys()], other);
  const free = pick(
    pool.filter((name) => !now.has(name)),
    other,
  );
  const thing = here === undefined ? undefined : now.get(here);
  if (what === 'add' && free !== undefined) now.set(free, fresh(image));
  if (what === 'revive') {
    const back = pick(space.gone(), one);
    const name = back?.only ?? free;
    if (back !== undefined && name !== undefined && !now.has(name)) now.set(name, back.thing);
    return;
  }
  if (here === undefined || thing === undefined) return;
  const second = there === undefined ? undefined : now.get(there);
  const moved = what === 'rename' ? [thing] : what === 'swap' ? [thing, second] : [];
  if (moved.some((one) => one !== undefined && space.only(one) !== null)) return;
  if (what === 'remove' || (what === 'rename' && free !== undefined)) now.delete(here);
  if (what === 'rename' && free !== undefined) now.set(free, thing);
  if (what === 'replace') now.set(here, fresh(image));
  if (what === 'swap' && there !== undefined && second !== undefined) now.set(here, second).set(there, thing);
}

function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(1, from.length)];
}

export function fresh(image: boolean): LedgerItem {
  return { image, inside: new Space(), numbers: [] };
}

/** The columns of a field, as the language's page names them. */
export function columns(name: string, { image }: LedgerItem): readonly string[] {
  return image ? [`${name}_id`, `has_proofed_${name}`] : [name];
}

/** What one gen is given. */
export interface LedgerResult {
  readonly descriptors: readonly RawResource[];
  /** The things that the descriptors speak of. */
  readonly shown: ReadonlyMap<string, { readonly thing: LedgerItem; readonly fields: ReadonlyMap<string, LedgerItem> }>;
  /** False: a word was followed once already. What must be said is said by the gen after this one, which is silent there. */
  readonly complete: boolean;
  /** To be called when the gen has run. */
  settle(): void;
}

/**
 * The descriptors of the next gen. What was followed once is said again only after a gen without it, also inside a
 * resource that was gone in the meantime: it comes back as it was, and is edited then.
 */
export function descriptors(resources: Space, keep: boolean): LedgerResult {
  const own = resources.said(keep);
  const things = own === null ? resources.silenced() : resources.now;
  const made = [...things].map(([name, thing]) => {
    const words = own === null ? null : thing.inside.said(keep);
    const fields = words === null ? thing.inside.silenced() : thing.inside.now;
    return { name, thing, fields, words };
  });
  return {
    descriptors: made.map((one) => descriptor(one.name, one.fields, one.words ?? NOTHING, own ?? NOTHING)).sort(byName),
    shown: new Map(made.map(({ name, thing, fields }) => [name, { thing, fields }])),
    complete: made.every(({ words }) => words !== null),
    settle() {
      if (own !== null) resources.settled(own);
      for (const { thing, words } of made) if (words !== null) thing.inside.settled(words);
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
  own: NamesById,
): RawResource {
  const fields = new Map([...inside].map(([field, thing]) => [field, raw(thing, words, field)] as const));
  return { ...EMPTY, resource: name, fields, ...(own.has(name) ? { was: own.get(name) ?? null } : {}) };
}

function raw({ image }: LedgerItem, words: NamesById, name: string): RawField {
  return { kind: image ? 'image' : 'text', ...(words.has(name) ? { was: words.get(name) ?? null } : {}) };
}

const EMPTY = {
  title: 'Test',
  summary: 'Test.',
  extends: [],
  plural: 'tests',
  source: 'test.yaml',
  access: { rights: new Map() },
  actions: new Map(),
} as const;
