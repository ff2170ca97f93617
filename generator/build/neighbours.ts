// What a hand-written function gets besides its own record: resolves names of lists and references to columns.

import type { Neighbours } from '../../runtime/contract/definition.js';
import type { RawRead, RawReads, RawResource, RawSpec } from '../language/language.js';
import { pathOfRead } from '../language/normalize.js';
import { kindOf } from '../model/kinds/kinds.js';
import { recordsOf } from '../model/kinds/record-list.js';
import { storedWhere } from '../model/kinds/reference.js';

/** The number of records of a list that a function gets by default. */
const LIMIT = 100;

interface Reader {
  readonly spec: RawSpec;
  /** The resource of the function's own record. */
  readonly resource: RawResource;
}

export function buildReads(reads: RawReads | undefined, reader: Reader): Readonly<Record<string, Neighbours>> {
  const entries = Object.entries(reads ?? {}).map(([name, read]) => [name, neighbours(read, reader)] as const);
  return Object.fromEntries(entries);
}

function neighbours(read: RawRead, { spec, resource }: Reader): Neighbours {
  const { reference, list } = pathOfRead(read);
  const of = reference === null ? resource.resource : (resource.fields.get(reference)?.to ?? '');
  const through = reference === null ? {} : { through: `${reference}_id` };
  if (list === null) return { of, by: 'id', ...through };
  const records = recordsOf(list, of, { spec, kindOf });
  if (records === null) throw new Error(`a read of ${list} passed the checks without a list`);
  const where = { ...records.records.where, ...storedWhere(read.where ?? {}, records.child, kindOf) };
  const some = Object.keys(where).length === 0 ? {} : { where };
  return { ...records.records, ...some, ...through, limit: read.limit ?? LIMIT };
}
