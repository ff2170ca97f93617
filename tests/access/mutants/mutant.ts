// What a mutant is: the project with one access clause weakened or removed.

/** One replacement in a compiled file of the runtime. */
export interface Edit {
  /** Below dist/runtime. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly name: string;
  /** Why nobody can tell it from the project, where that is so. */
  readonly equivalent?: string;
}

export interface CodeMutant extends Mutant {
  readonly edits: readonly Edit[];
}

/** A mutant as a worker takes it. */
export interface Job {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Output folder of the generator, with model.json in it; null: the project's own. */
  readonly generated: string | null;
  /** The model's file. */
  readonly model: string;
}

export interface Verdict {
  readonly name: string;
  readonly probes: number;
  /** What gave it away; empty: nothing did. */
  readonly found: readonly string[];
  /** True: it was given away by what could not be done, and by no comparison. */
  readonly broken?: boolean;
}

export const SQLITE = 'store/sqlite';

/** One replacement in `file`, which is written without its ending. */
export function at(file: string, find: string, replace: string): readonly [Edit] {
  return [{ file: `${file}.js`, find, replace }];
}
