// The types of a deprecation: of a resource, a field or an action's parameter (D38).

/** At least one of the dates is present, as YYYY-MM-DD. */
export interface Dates {
  /** From then on callers should not use it. */
  readonly deprecated?: string;
  /** The day on which it is removed. */
  readonly sunset?: string;
}

export interface Deprecation extends Dates {
  /**
   * The descriptor's name for it, `<action>.<parameter>` for an action's parameter, `<field>=<value>` for one of its
   * values; null: the resource itself.
   */
  readonly field: string | null;
  /** The action that the parameter belongs to. */
  readonly action?: string;
  /** Its names in requests: parameters and synonyms, columns to filter and order by, the relation. */
  readonly names: readonly string[];
  /** Only this value is deprecated, not the items with these names. */
  readonly value?: string;
}
