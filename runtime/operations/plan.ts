// What the operations need to know about each definition, computed once instead of for every request.
import type { ActionDefinition, AnyDefinition } from '../contract/definition.js';
import { memoize } from '../contract/memoize.js';
import { type Relation, relationsOf } from '../store/relations.js';
import { type InputSchema, inputSchemaOf, inputSchemaOfAction } from './input-schema.js';
import { optionsOf } from './options.js';

export interface Plan {
  readonly definition: AnyDefinition;
  readonly create: InputSchema;
  readonly update: InputSchema;
  readonly actions: ReadonlyMap<string, { readonly definition: ActionDefinition; readonly schema: InputSchema }>;
  /** Relations that fetch can include. */
  readonly relations: readonly Relation[];
  /** Definition of the items of each list of a record, by the list's name (D23). */
  readonly lists: ReadonlyMap<string, AnyDefinition>;
  /** JSON text of the allowed values by field (D24). */
  readonly options: string;
}

/** Returns the plan of a definition that was passed at start. */
export type PlanOf = (definition: AnyDefinition) => Plan;

/** Plans for `definitions`, which must be all that are mounted: lists of a resource come from other definitions. */
export function planAll(definitions: readonly AnyDefinition[]): PlanOf {
  // Each is computed on first use, since all of them would take a tenth of the time to the first response.
  return memoize((definition: AnyDefinition) => plan(definition, definitions));
}

function plan(definition: AnyDefinition, definitions: readonly AnyDefinition[]): Plan {
  const actions = Object.entries(definition.actions).map(
    ([name, action]) => [name, { definition: action, schema: inputSchemaOfAction(action) }] as const,
  );
  return {
    definition,
    create: inputSchemaOf(definition, 'create'),
    update: inputSchemaOf(definition, 'update'),
    actions: new Map(actions),
    relations: relationsOf(definition),
    lists: listsOn(definition.name, definitions),
    options: JSON.stringify(optionsOf(definition)),
  };
}

function listsOn(parent: string, definitions: readonly AnyDefinition[]): ReadonlyMap<string, AnyDefinition> {
  const lists = new Map<string, AnyDefinition>();
  for (const definition of definitions) {
    for (const list of definition.lists) if (list.parent === parent) lists.set(list.name, definition);
  }
  return lists;
}
