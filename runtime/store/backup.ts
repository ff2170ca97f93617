// A database at one moment, which is copied while servers write.

export interface Snapshot {
  /** Bytes of the database. */
  readonly bytes: number;
  /** Copies it. @param to path of a new file @param advance called with the share of it that was copied, of 1 */
  copyTo(to: string, advance: (share: number) => void): Promise<void>;
}
