// Decides which records belong to another, so that a copy includes them (D55): stated once for `check` and for the engines.

/** A reference of the resource whose records may belong to its target, and who may create them. */
export interface PartCandidate {
  readonly place: boolean;
  readonly onDelete: string;
  readonly need: string;
  /** Null: nobody. */
  readonly create: string | null;
  readonly storesUploads: boolean;
  /** Whether a hand-written module serves the resource. */
  readonly isServed: boolean;
}

/** Records belong to a target if its editors create them and if they are placed and deleted with it. */
export function isPartOfTarget({ place, onDelete, need, create, storesUploads, isServed }: PartCandidate): boolean {
  const isTheirs = need === 'edit' && create !== null && create !== 'admin';
  return place && onDelete === 'cascade' && isTheirs && !storesUploads && !isServed;
}
