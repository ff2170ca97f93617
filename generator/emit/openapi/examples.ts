// Example records and requests, put together from the examples of the model's parameters and properties.

import type { Others } from '../../model/find.js';
import type { Parameter, Property, Resource } from '../../model/model.js';
import { takenByCreate } from '../members.js';
import type { Fragment } from './fragment.js';

/** A record as an editor sees it when everything is set. */
export function recordExample(resource: Resource, others: Others): Fragment {
  const shown = resource.properties.filter(({ view }) => view !== 'nobody' && view !== 'created');
  return Object.fromEntries(shown.map((property) => [property.name, propertyExample(property, others)]));
}

/** The brief description of a record that other records show. */
export function briefExample(resource: Resource): Fragment {
  const shown = resource.brief.map((name) => resource.properties.find((property) => property.name === name));
  return Object.fromEntries(shown.flatMap((property) => (property ? [[property.name, property.example ?? null]] : [])));
}

export interface NamedExample {
  /** Name of the component. */
  readonly name: string;
  readonly key: 'required' | 'all' | 'change';
  readonly summary: string;
  readonly value: Fragment;
}

/** A create or action with the required parameters, and one with all; only one if both are the same. */
export function requestExamples(name: string, of: readonly Parameter[]): readonly NamedExample[] {
  const parameters = takenByCreate(of);
  const required = parameters.filter(({ requiredOnCreate }) => requiredOnCreate);
  const all = { name: `${name}_all`, key: 'all', summary: 'All parameters', value: values(parameters) } as const;
  if (required.length === parameters.length) return [all];
  const minimal = { key: 'required', summary: 'What is required', value: values(required) } as const;
  return [{ name: `${name}_required`, ...minimal }, all];
}

/** An update of all required parameters, or else of the first parameter that is not a reference. */
export function updateExamples(name: string, parameters: readonly Parameter[]): readonly NamedExample[] {
  const required = parameters.filter(({ requiredOnUpdate }) => requiredOnUpdate);
  const simple = parameters.filter(({ refers }) => !refers);
  const changed = required.length > 0 ? required : [...simple, ...parameters].slice(0, 1);
  if (changed.length === 0) return [];
  return [{ name: `${name}_change`, key: 'change', summary: 'A change', value: values(changed) }];
}

/** Every example of the requests of a resource, for the components; the example of an upload is beside its part. */
export function allRequestExamples(resource: Resource): readonly NamedExample[] {
  const { name, operations, parameters, actions, upload } = resource;
  return [
    ...(operations.create === null || upload !== null ? [] : requestExamples(`${name}_create`, parameters)),
    ...(operations.update === null ? [] : updateExamples(`${name}_update`, parameters)),
    ...actions
      .filter(({ sets }) => sets === null)
      .flatMap((action) => requestExamples(`${name}_${action.name}`, action.parameters)),
  ];
}

function values(parameters: readonly Parameter[]): Fragment {
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
}

const BRIEF = /^#\/components\/schemas\/(.+)_brief$/;

/** A property without an example of its own is either a brief description or not set. */
function propertyExample({ schema, example }: Property, others: Others): unknown {
  if (example !== undefined) return example;
  const described = BRIEF.exec(String(schema.$ref))?.[1];
  const target = described === undefined ? undefined : others.find(described);
  return target ? briefExample(target) : null;
}
