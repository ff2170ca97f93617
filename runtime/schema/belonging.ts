// Which records belong to another, so that a copy of it takes them along (D55): stated once for `check` and for the engines.

/** A reference of the resource that may belong, and who may create its records. */
export interface Belonging {
  readonly place: boolean;
  readonly onDelete: string;
  readonly need: string;
  /** Null: nobody. */
  readonly create: string | null;
  readonly storesUploads: boolean;
  /** A module of its own serves it. */
  readonly isServed: boolean;
}

/** What editors of the target make for it, and what is placed and deleted with it. */
export function belongs({ place, onDelete, need, create, storesUploads, isServed }: Belonging): boolean {
  const isTheirs = need === 'edit' && create !== null && create !== 'admin';
  return place && onDelete === 'cascade' && isTheirs && !storesUploads && !isServed;
}
