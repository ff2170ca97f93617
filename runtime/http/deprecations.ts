// Finds the deprecated items that a request uses (D38), in maps built at start. Deprecated properties of a response do not
// count: a request cannot avoid them, and the API document marks them.
import type { AnyDefinition, Deprecation } from '../contract/definition.js';
import { filterParameters } from '../contract/ranges.js';
import type { Operations } from '../operations/operations.js';
import { type DeprecatedItem, type Notice, noticeOf } from './notice.js';

/** What the parameters of one request use; null: nothing deprecated. */
export type NoticeFinder = (parameters: Readonly<Record<string, unknown>>) => Notice | null;

/** One operation of a resource. */
export interface OperationRef {
  readonly definition: AnyDefinition;
  readonly operation: keyof Operations;
  /** Name of the list or action; empty otherwise. */
  readonly name: string;
  /** The definition of a list's records; null for every other operation. */
  readonly items: AnyDefinition | null;
  /** The identity that an old name in the path stands for. */
  readonly identity?: string | null;
  /** The column whose unique value the path has in place of an id. */
  readonly by?: string | undefined;
}

interface UsageRules {
  /** Used by every request. */
  readonly always: readonly DeprecatedItem[];
  /** Used by requests that send the parameter. */
  readonly names: ReadonlyMap<string, DeprecatedItem>;
  /** Used by requests that name it in the value of a parameter. */
  readonly values: readonly (readonly [parameter: string, named: ReadonlyMap<string, DeprecatedItem>])[];
}

type DeprecatedEntry = Deprecation & DeprecatedItem;

/** Undefined if no request of the operation can use anything deprecated. */
export function noticeFinder(ref: OperationRef): NoticeFinder | undefined {
  const { always, names, values } = usageRules(ref);
  const constant = always.length === 0 ? null : noticeOf(always);
  if (names.size === 0 && values.every(([, named]) => named.size === 0)) {
    return constant === null ? undefined : () => constant;
  }
  return (parameters) => {
    const used = new Set(always);
    for (const [name, entry] of names) if (parameters[name] !== undefined) used.add(entry);
    for (const [parameter, named] of values) {
      for (const name of namesIn(parameters[parameter])) add(used, named.get(name));
    }
    return used.size === always.length ? constant : noticeOf([...used]);
  };
}

/** What every request to the resource uses; null: the resource is not deprecated. */
export function noticeOfResource(definition: AnyDefinition): Notice | null {
  const deprecations = deprecatedEntries(definition).filter(({ field }) => field === null);
  return deprecations.length === 0 ? null : noticeOf(deprecations);
}

function usageRules(ref: OperationRef): UsageRules {
  const { definition, operation, items } = ref;
  // In a folder's list of folders, both are the same definition.
  const entries = new Map([definition, items ?? definition].map((one) => [one, deprecatedEntries(one)]));
  const isOfPath = ({ names, value }: DeprecatedEntry) =>
    value !== undefined && value === ref.identity && names.includes('identity');
  const deprecations = [...entries.values()].flat().filter((entry) => entry.field === null || isOfPath(entry));
  const {
    always = [],
    names = NONE,
    values = [],
  } = USAGE_RULES[operation](ref, entries.get(items ?? definition) ?? []);
  return { always: [...deprecations, ...always], names, values };
}

const NONE: ReadonlyMap<string, DeprecatedItem> = new Map();

type UsageRulesFor = (ref: OperationRef, entries: readonly DeprecatedEntry[]) => Partial<UsageRules>;

const sent: UsageRulesFor = ({ definition: { parameters, synonyms } }, entries) => ({
  names: byName(entries.filter(isField), (name) => Object.hasOwn(parameters, name) || Object.hasOwn(synonyms, name)),
  values: byValue(entries.filter(({ action }) => action === undefined)),
});

/** By operation: what a request can use besides the resource itself. */
const USAGE_RULES: Readonly<Record<keyof Operations, UsageRulesFor>> = {
  create: sent,
  update: sent,
  remove: () => ({}),
  bulk: () => ({}),
  uses: () => ({}),
  options: () => ({}),
  related: ({ name }, entries) => ({
    always: entries.filter((entry) => isField(entry) && entry.names.includes(name)),
  }),
  fetch({ definition: { references }, by }, entries) {
    const relations = new Set(references.flatMap(({ relation, related }) => (related ? [relation] : [])));
    const fields = entries.filter(isField);
    return {
      always: fields.filter(({ names }) => by !== undefined && names.includes(by)),
      values: [['_include_related_objects', byName(fields, (name) => relations.has(name))]],
    };
  },
  list({ definition, name, items }, entries) {
    const { filters = [], ranges = [], sortable = [], lists = [] } = items ?? {};
    const list = lists.find((candidate) => candidate.parent === definition.name && candidate.name === name);
    // The list depends on its reference and on the fields of its condition.
    const where = list?.where ?? (name === '' ? items?.whole?.where : undefined) ?? {};
    const needed = new Set([...(list === undefined ? [] : [list.by]), ...Object.keys(where)]);
    const fields = entries.filter(isField);
    const byColumn = byName(fields, (column) => filters.includes(column));
    const values = entries.filter(({ value }) => value !== undefined);
    return {
      always: [
        ...fields.filter(({ names }) => names.some((one) => needed.has(one))),
        ...values.filter(({ names, value }) => names.some((one) => where[one] === value)),
      ],
      names: new Map(
        filterParameters({ filters, ranges }).flatMap(({ name, column }) => {
          const entry = byColumn.get(column);
          return entry === undefined ? [] : [[name, entry] as const];
        }),
      ),
      values: [
        ['_order_by', byName(fields, (column) => sortable.includes(column))],
        ...byValue(values).filter(([parameter]) => filters.includes(parameter)),
      ],
    };
  },
  action({ name }, entries) {
    const deprecations = entries.filter(({ action }) => action === name);
    return { names: byName(deprecations.filter(({ value }) => value === undefined)), values: byValue(deprecations) };
  },
};

function isField({ field, action, value }: DeprecatedEntry): boolean {
  return field !== null && action === undefined && value === undefined;
}

/** The deprecated values of parameters, by the parameter's names. */
function byValue(entries: readonly DeprecatedEntry[]): UsageRules['values'] {
  const all = entries.flatMap((entry) => entry.names.map((name) => [name, entry] as const));
  return all.flatMap(([name, entry]) =>
    entry.value === undefined ? [] : [[name, new Map([[entry.value, entry]])] as const],
  );
}

function byName(
  entries: readonly DeprecatedEntry[],
  accepts: (name: string) => boolean = () => true,
): ReadonlyMap<string, DeprecatedItem> {
  return new Map(entries.flatMap((entry) => entry.names.filter(accepts).map((name) => [name, entry] as const)));
}

function deprecatedEntries({ name, deprecations = [] }: AnyDefinition): readonly DeprecatedEntry[] {
  return deprecations.map((deprecation) => ({
    ...deprecation,
    use: { resource: name, field: deprecation.field ?? '' },
  }));
}

/** The names that a value may stand for: the whole text, and each name in `a,b`, in `-a`, and in a list of such texts. */
function namesIn(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return texts.flatMap((text) =>
    typeof text === 'string' ? [text, ...text.split(',').map((name) => name.trim().replace(/^-/, ''))] : [],
  );
}

function add(used: Set<DeprecatedItem>, entry: DeprecatedItem | undefined): void {
  if (entry !== undefined) used.add(entry);
}
