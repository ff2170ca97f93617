// A copy of a database that is made while servers write to it.

export interface DatabaseCopy {
  /** Bytes of the database now. */
  bytes(): Promise<number>;
  /** Copies all of it, of one moment or another. @param advance called with the bytes that were copied */
  copyFile(advance: (bytes: number) => void): Promise<void>;
  /** Brings the copy to what is committed now. @returns bytes that were written */
  catchUp(): Promise<number>;
  /** Throws StartError if the copy is damaged. */
  check(): void;
  /** The hash of every file that a record holds now. */
  hashes(): readonly string[];
  /** Makes the copy durable. The same content has the same sum. */
  sum(): Promise<{ readonly bytes: number; readonly sum: string }>;
  /** Nobody can write until the work is done. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}
