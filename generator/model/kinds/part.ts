// What one field of a descriptor becomes: its share of columns, parameters, properties and references. Types only.

import type { Reference } from '../../../runtime/definition.js';
import type { RawResource, RawSpec } from '../../language/language.js';
import type { List, Parameter, Property, UnnumberedColumn } from '../model.js';

export interface Part {
  readonly columns?: readonly UnnumberedColumn[];
  readonly parameters?: readonly Parameter[];
  readonly properties?: readonly Property[];
  readonly references?: readonly Reference[];
  readonly lists?: readonly List[];
}

/** Where a field stands: the spec it may look into and the resource it belongs to. */
export interface Place {
  readonly spec: RawSpec;
  readonly resource: RawResource;
}
