// The table of field kinds: which expansion a field takes. A new kind is a new row here or in SCALARS.

import type { RawField } from '../../language/language.js';
import { datesOf, withDeprecation } from '../deprecation.js';
import { expandComputed } from './expand-computed.js';
import { expandImage } from './expand-image.js';
import { expandReference } from './expand-reference.js';
import { expandScalar } from './expand-scalar.js';
import type { Part, Place } from './part.js';

/** @returns the columns, parameters, properties, references and lists that the field called `name` stands for */
export function expand(name: string, field: RawField, place: Place): Part {
  const part = expansion(name, field, place);
  const ends = datesOf(field);
  return ends === null ? part : withDeprecation(part, ends);
}

function expansion(name: string, field: RawField, place: Place): Part {
  switch (field.kind) {
    case 'reference':
      return expandReference(name, field, place);
    case 'image':
    case 'file':
      return expandImage(name, field, place);
    case 'computed':
      return expandComputed(name, field, place);
    default:
      return expandScalar(name, field);
  }
}
