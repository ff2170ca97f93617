// Stores a planned row, its words, and what has to be unique across placements, without waiting for it.
import type { AnyDefinition } from '../../definition.js';
import type { Schema } from '../../schema/schema.js';
import type { WritePlan } from '../write-plan.js';
import { constraintError } from './engine-error.js';
import type { Query } from './named.js';
import type { RecordStatements } from './record-statements.js';
import type { Reading } from './record-text.js';
import { tableOf } from './table-of.js';
import { createUniqueClaims } from './unique-claims.js';
import { createWriteWords } from './words.js';

export interface Transaction {
  readonly query: Query;
  /** For statements that nothing waits for. */
  readonly hold: Query;
  /** Their answers. */
  readonly sent: Promise<void>[];
}

/** Stores what is planned, without waiting for it. */
export type Store = (transaction: Transaction, plan: Planned) => void;

type Planned = Pick<WritePlan, 'row' | 'changed' | 'guard'>;

interface Within {
  readonly reading: Reading;
  readonly schema: Schema;
}

export function createStore({ reading, schema }: Within, definition: AnyDefinition, records: RecordStatements): Store {
  const table = tableOf(schema, definition);
  const claims = createUniqueClaims(reading.connections, table);
  const writeWords = createWriteWords(reading.connections, table);
  const storing = async (query: Query, { row, changed, guard: old }: Planned): Promise<void> => {
    try {
      const stored = old === null ? records.insert(query, row) : records.update(query, row, changed);
      await Promise.all([stored, claims.change(query, old, row), writeWords(query, old, row)]);
    } catch (error) {
      throw constraintError(error, definition, table);
    }
  };
  return ({ hold, sent }, plan) => {
    const stored = storing(hold, plan);
    stored.catch(() => undefined);
    sent.push(stored);
  };
}
