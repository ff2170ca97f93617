// Completes a resource's definition from what generated code states: adds the settings that most resources leave out, what
// every record has, and the routes. Runs once, at the start.

import type {
  Access,
  ActionDefinition,
  Alias,
  ColumnDefinition,
  Definition,
  List,
  PropertyDefinition,
  Reference,
} from '../definition.js';
import { routesOf } from './routes.js';

/** Some of its settings may be left out. */
type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** A relation has the name of its column without `_id`; a reference is neither required nor related. */
type StatedReference = Optional<Reference, 'relation' | 'required' | 'related'>;
type StatedList = Optional<List, 'where'>;
type StatedAction = Optional<ActionDefinition, 'parameters'>;

/** A definition without what follows from the rest. A setting that has a default is optional. */
export interface StatedDefinition<R, C, U>
  extends Optional<
    Omit<Definition<R, C, U>, 'access' | 'references' | 'lists' | 'actions' | 'routes'>,
    keyof Defaults
  > {
  readonly references?: readonly StatedReference[];
  readonly access?: Partial<Access>;
  readonly lists?: readonly StatedList[];
  readonly actions?: Readonly<Record<string, StatedAction>>;
  /** Further paths of operations (D32). */
  readonly aliases?: readonly Alias[];
  /** The value of `object_type`; absent: the name. */
  readonly constant?: string;
  /** Another property that shows the constant. */
  readonly typeField?: string;
}

type Defaults = typeof DEFAULTS;

const DEFAULTS = {
  principal: false,
  upload: null,
  servedBy: null,
  parameters: {},
  synonyms: {},
  ignored: [],
  order: [],
  sortable: [],
  filters: [],
  ranges: [],
  options: {},
  uniques: [],
  brief: [],
  lifecycle: [],
  columns: {},
  properties: {},
} satisfies Partial<Definition>;

const NO_RIGHTS: Access = { read: [], edit: [], rights: {}, hidden: false };

/** The columns of every table, which come first. */
const COLUMNS: Readonly<Record<string, ColumnDefinition>> = {
  id: { type: 'text' },
  date_created: { type: 'date' },
  date_updated: { type: 'date' },
};

/** @returns the definition of a resource. Its columns, properties and orders are those of every record and the stated ones */
export function define<R, C, U>(stated: StatedDefinition<R, C, U>): Definition<R, C, U> {
  const { aliases = [], constant = stated.name, typeField = null, access, references, lists, actions, ...own } = stated;
  const all = {
    ...DEFAULTS,
    ...own,
    access: { ...NO_RIGHTS, ...access },
    references: (references ?? []).map(referenceOf),
    lists: (lists ?? []).map((list): List => ({ where: {}, ...list })),
    actions: actionsOf(actions ?? {}),
  };
  return {
    ...all,
    sortable: [...Object.keys(COLUMNS), ...all.sortable],
    columns: { ...COLUMNS, ...all.columns },
    properties: withFixed(all.properties, { kind: 'constant', value: constant }, typeField),
    routes: routesOf({ ...all, aliases }),
  };
}

function referenceOf(stated: StatedReference): Reference {
  return { relation: stated.column.replace(/_id$/, ''), required: false, related: false, ...stated };
}

function actionsOf(stated: Readonly<Record<string, StatedAction>>): Definition['actions'] {
  const all = Object.entries(stated).map(([name, action]) => [name, { parameters: {}, ...action }] as const);
  return Object.fromEntries(all);
}

type Properties = Definition['properties'];

/** Shown first, in this order: the id, the identity, the type constant (D28) and the dates. */
function withFixed(
  { identity, ...others }: Properties,
  type: PropertyDefinition,
  typeField: string | null,
): Properties {
  return {
    id: ofColumn('id'),
    ...(identity === undefined ? {} : { identity }),
    object_type: type,
    ...(typeField === null ? {} : { [typeField]: type }),
    date_created: ofColumn('date_created'),
    date_updated: ofColumn('date_updated'),
    ...others,
  };
}

function ofColumn(column: string): PropertyDefinition {
  return { kind: 'column', column };
}
