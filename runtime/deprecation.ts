// What a generated file says of the end of a resource, a field or an action's parameter (D38). Types only.

/** At least one of both is there; YYYY-MM-DD. */
export interface Dates {
  /** From then on callers are told not to use it. */
  readonly deprecated?: string;
  /** It goes then. */
  readonly sunset?: string;
}

export interface Deprecation extends Dates {
  /** As the descriptor names it, an action's parameter as `<action>.<parameter>`; null: the resource itself. */
  readonly field: string | null;
  /** The action whose parameter it is. */
  readonly action?: string;
  /** What requests know it by: parameters and their synonyms, columns to filter and order by, the relation. */
  readonly names: readonly string[];
}
