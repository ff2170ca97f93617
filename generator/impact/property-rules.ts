// What a change of a property means for who reads a record: a table of rules over both sides. More possible is breaking.

import type { Model, Property, Resource } from '../model/model.js';
import { shownOrigin } from './origins.js';
import { found } from './parameter-rules.js';
import type { Found } from './report.js';
import { schemaChanges } from './schema-changes.js';
import { columnOf, comparable } from './sides.js';

export interface Shown {
  readonly property: Property;
  readonly resource: Resource;
  readonly model: Model;
}

type PropertyRule = (from: Shown, to: Shown) => readonly Found[];

/** By the name under which a finding is told. */
export const PROPERTY_RULES: Readonly<Record<string, PropertyRule>> = {
  property_presence: (from, to) => {
    const [old, now] = [always(from), always(to)];
    if (old === now) return [];
    return [
      found(
        old,
        now
          ? 'is in every record'
          : `is not in every record any more${to.property.view === null ? '' : `: view ${to.property.view}`}`,
        old,
        now,
      ),
    ];
  },
  property_view: (from, to) => {
    const [old, now] = [from.property.view, to.property.view];
    if (old === null || now === null || old === now) return [];
    // What the answer to a create alone shows is the narrowest; of two rights nobody knows which holds more.
    return [found(old !== 'created', `view ${old} -> ${now}`, old, now)];
  },
  property_null: (from, to) => {
    const [old, now] = [from.property.nullable, to.property.nullable];
    return old === now ? [] : [found(now, now ? 'may be null' : 'is never null', old, now)];
  },
  property_source: (from, to) => {
    const [old, now] = [from, to].map((side) => shownOrigin(side.property.name, side));
    if (!old || !now || old.key === now.key) return [];
    return [found(true, `shows ${now.says}, before ${old.says}`, old.says, now.says)];
  },
  property_limit: (from, to) =>
    schemaChanges(schemaOf(from), schemaOf(to)).map(({ at, says, breaks, ...values }) => ({
      breaking: breaks.response,
      says: at === '' ? says : `${at}: ${says}`,
      from: [at, values.keyword, values.from],
      to: values.to,
    })),
};

/** What anybody ever sees; the answer that creates a record counts. */
export function visible({ properties }: Resource): readonly Property[] {
  return properties.filter(({ view }) => view !== 'nobody');
}

function always({ property }: Shown): boolean {
  return property.view === null && !property.whenSet;
}

function schemaOf({ property, resource }: Shown): Property['schema'] {
  return comparable(property.schema, columnOf(resource, property.name));
}
