// Rules for what a change of a property means to those who read a record: allowing more is breaking.

import { namesOf } from '../../runtime/schema/choices.js';
import type { Model, Property, Resource } from '../model/model.js';
import { propertyOrigin } from './origins.js';
import { difference } from './parameter-rules.js';
import type { Difference } from './report.js';
import { schemaChanges } from './schema-changes.js';
import { columnOf, comparable } from './sides.js';

export interface PropertyContext {
  readonly property: Property;
  readonly resource: Resource;
  readonly model: Model;
}

type PropertyRule = (from: PropertyContext, to: PropertyContext) => readonly Difference[];

/** Keyed by the rule name that a finding reports. */
export const PROPERTY_RULES: Readonly<Record<string, PropertyRule>> = {
  property_presence: (from, to) => {
    const [old, now] = [isAlwaysPresent(from), isAlwaysPresent(to)];
    if (old === now) return [];
    const message = now
      ? 'is in every record'
      : `is no longer in every record${to.property.view === null ? '' : `: view ${to.property.view}`}`;
    return [
      { ...difference(old, message, old, now), exposing: from.property.view !== null && to.property.view === null },
    ];
  },
  property_view: (from, to) => {
    const [old, now] = [from.property.view, to.property.view];
    if (old === null || now === null || old === now) return [];
    // `created` is the narrowest view; between two rights, either may have more holders.
    return [{ ...difference(old !== 'created', `view ${old} -> ${now}`, old, now), exposing: old === 'created' }];
  },
  property_null: (from, to) => {
    const [old, now] = [from.property.nullable, to.property.nullable];
    return old === now ? [] : [difference(now, now ? 'may be null' : 'is never null', old, now)];
  },
  property_source: (from, to) => {
    const [old, now] = [from, to].map((side) => propertyOrigin(side.property.name, side));
    if (!old || !now || old.key === now.key) return [];
    return [difference(true, `shows ${now.text}, previously ${old.text}`, old.text, now.text)];
  },
  property_value: (from, to) => {
    const [old, now] = [from, to].map(({ property, resource }) => columnOf(resource, property.name));
    if (old === undefined || now === undefined) return [];
    return namesOf({ from: old, to: now }).renamed.map((name) =>
      difference(true, `shows ${name.to} where it showed ${name.from}`, name.from, name.to),
    );
  },
  property_limit: (from, to) =>
    schemaChanges(schemaOf(from), schemaOf(to)).map(({ at, message, breaks, ...values }) => ({
      breaking: breaks.response,
      message: at === '' ? message : `${at}: ${message}`,
      from: [at, values.keyword, values.from],
      to: values.to,
    })),
};

/** The properties that somebody may see, even if only in the response that creates the record. */
export function visible({ properties }: Resource): readonly Property[] {
  return properties.filter(({ view }) => view !== 'nobody');
}

function isAlwaysPresent({ property }: PropertyContext): boolean {
  return property.view === null && !property.whenSet;
}

function schemaOf({ property, resource }: PropertyContext): Property['schema'] {
  return comparable(property.schema, columnOf(resource, property.name));
}
