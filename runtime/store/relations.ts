// The single-valued relations of a record, which can be read together with it (D21, D22).
import type { AnyDefinition, View } from '../contract/definition.js';

export interface Relation {
  readonly name: string;
  /** The column that holds the id. */
  readonly column: string;
  readonly to: string;
  /** Who may see whether the relation is set; null: everyone who may read the record. */
  readonly view: View | null;
  /** True: the record itself describes the target under this name, so it is not included a second time. */
  readonly described: boolean;
}

/** The relations in the order of the references. */
export function relationsOf({ references, properties }: AnyDefinition): readonly Relation[] {
  return references
    .filter(({ related }) => related)
    .map(({ relation: name, column, to }) => ({
      name,
      column,
      to,
      view: properties[column]?.view ?? properties[name]?.view ?? null,
      described: Object.hasOwn(properties, name),
    }));
}
