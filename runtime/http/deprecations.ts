// Finds the deprecated items that a request uses (D38), in maps built at start. Deprecated properties of a response do not
// count: a request cannot avoid them, and the API document marks them.
import type { AnyDefinition, Deprecation } from '../definition.js';
import type { Operations } from '../operations/operations.js';
import { type Mark, type Notice, noticeOf } from './notice.js';

/** What the parameters of one request use; null: nothing that is to go. */
export type NoticeOf = (parameters: Readonly<Record<string, unknown>>) => Notice | null;

/** One operation of a resource. */
export interface Asked {
  readonly definition: AnyDefinition;
  readonly operation: keyof Operations;
  /** Of the list or action; empty otherwise. */
  readonly name: string;
  /** What a list holds; null for every other operation. */
  readonly items: AnyDefinition | null;
}

interface Watched {
  /** Used by every request. */
  readonly always: readonly Mark[];
  /** Used by who sends the parameter. */
  readonly names: ReadonlyMap<string, Mark>;
  /** By a parameter of the service, and what its value names. */
  readonly values: readonly (readonly [parameter: string, named: ReadonlyMap<string, Mark>])[];
}

type Marked = Deprecation & Mark;

/** Undefined where no request of the operation can use anything that is to go. */
export function noticesOf(asked: Asked): NoticeOf | undefined {
  const { always, names, values } = watchedBy(asked);
  const whatever = always.length === 0 ? null : noticeOf(always);
  if (names.size === 0 && values.every(([, named]) => named.size === 0)) {
    return whatever === null ? undefined : () => whatever;
  }
  return (parameters) => {
    const used = new Set(always);
    for (const [name, mark] of names) if (parameters[name] !== undefined) used.add(mark);
    for (const [parameter, named] of values) {
      for (const name of namesIn(parameters[parameter])) add(used, named.get(name));
    }
    return used.size === always.length ? whatever : noticeOf([...used]);
  };
}

/** What every request for something of the resource uses; null: the resource is to stay. */
export function noticeOfResource(definition: AnyDefinition): Notice | null {
  const own = marksOf(definition).filter(({ field }) => field === null);
  return own.length === 0 ? null : noticeOf(own);
}

function watchedBy(asked: Asked): Watched {
  const { definition, operation, items } = asked;
  // Of a folder's list of folders, both are the same one.
  const marks = new Map([definition, items ?? definition].map((one) => [one, marksOf(one)]));
  const own = [...marks.values()].flat().filter(({ field }) => field === null);
  const { always = [], names = NONE, values = [] } = WATCHED[operation](asked, marks.get(items ?? definition) ?? []);
  return { always: [...own, ...always], names, values };
}

const NONE: ReadonlyMap<string, Mark> = new Map();

type Watch = (asked: Asked, marks: readonly Marked[]) => Partial<Watched>;

const sent: Watch = ({ definition: { parameters, synonyms } }, marks) => ({
  names: byName(marks.filter(isField), (name) => Object.hasOwn(parameters, name) || Object.hasOwn(synonyms, name)),
});

/** By operation: what a request can use besides the resource itself. */
const WATCHED: Readonly<Record<keyof Operations, Watch>> = {
  create: sent,
  update: sent,
  remove: () => ({}),
  options: () => ({}),
  fetch({ definition: { references } }, marks) {
    const relations = new Set(references.flatMap(({ relation, related }) => (related ? [relation] : [])));
    return { values: [['_include_related_objects', byName(marks.filter(isField), (name) => relations.has(name))]] };
  },
  list({ definition, name, items }, marks) {
    const { filters = [], sortable = [], lists = [] } = items ?? {};
    const list = lists.find((one) => one.parent === definition.name && one.name === name);
    // Without the reference it hangs by, or a field of its condition, there would be no such list.
    const needed = new Set(list === undefined ? [] : [list.by, ...Object.keys(list.where)]);
    const fields = marks.filter(isField);
    return {
      always: fields.filter(({ names }) => names.some((one) => needed.has(one))),
      names: byName(fields, (one) => filters.includes(one)),
      values: [['_order_by', byName(fields, (one) => sortable.includes(one))]],
    };
  },
  action: ({ name }, marks) => ({ names: byName(marks.filter(({ action }) => action === name)) }),
};

function isField({ field, action }: Marked): boolean {
  return field !== null && action === undefined;
}

function byName(marks: readonly Marked[], takes: (name: string) => boolean = () => true): ReadonlyMap<string, Mark> {
  return new Map(marks.flatMap((mark) => mark.names.filter(takes).map((name) => [name, mark] as const)));
}

function marksOf({ name, deprecations = [] }: AnyDefinition): readonly Marked[] {
  return deprecations.map((deprecation) => ({
    ...deprecation,
    use: { resource: name, field: deprecation.field ?? '' },
  }));
}

/** `a`, `a,b` and a list of either, as the parameters of the service take names. */
function namesIn(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(',').map((name) => name.trim()) : []));
}

function add(used: Set<Mark>, mark: Mark | undefined): void {
  if (mark !== undefined) used.add(mark);
}
