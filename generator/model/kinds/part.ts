// What a field of a descriptor expands to: columns, parameters, properties and references. Types only.

import type { Reference } from '../../../runtime/definition.js';
import type { List, Parameter, Property, UnnumberedColumn } from '../model.js';

export interface Part {
  readonly columns?: readonly UnnumberedColumn[];
  readonly parameters?: readonly Parameter[];
  readonly properties?: readonly Property[];
  readonly references?: readonly Reference[];
  readonly lists?: readonly List[];
}
