// The records of a list, as the column that refers to its parent and their common conditions.

import type { RecordsOfList } from '../../../runtime/contract/definition.js';
import type { RawResource } from '../../language/language.js';
import { listsBy } from '../../language/normalize.js';
import type { FieldContext } from './kind.js';
import { storedWhere } from './reference.js';

export interface RecordList {
  readonly child: RawResource;
  readonly records: RecordsOfList;
}

/** @returns null if the resource `owner` has no list of that name */
export function recordsOf(
  list: string,
  owner: string,
  { spec, kindOf }: Pick<FieldContext, 'spec' | 'kindOf'>,
): RecordList | null {
  for (const child of spec.resources) {
    for (const [reference, field] of child.fields) {
      const conditions = field.to === owner ? listsBy(field, child).get(list) : undefined;
      if (conditions === undefined) continue;
      const where = storedWhere(conditions, child, kindOf);
      const some = Object.keys(where).length === 0 ? {} : { where };
      return { child, records: { of: child.resource, by: `${reference}_id`, ...some } };
    }
  }
  return null;
}
