// SQL of the sizes of users' files (D64): each file counts for the owner of its record, however many have the same bytes.
import type { AnyDefinition } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import type { Composer } from './access.js';
import { ownerExpression } from './owner.js';
import { rowsOf } from './rows.js';

/** Columns `owner` and `size` of each file, in `t`. */
export function storedFiles(composer: Composer, definition: AnyDefinition): string {
  const owner = ownerExpression(composer, definition, { alias: 't' });
  return `${owner} AS owner, t.${quoted(definition.upload?.size ?? '')} AS size FROM ${rowsOf(definition)}`;
}
