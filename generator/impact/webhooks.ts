// The part of a report on web hooks: events that come and go, and what their payloads carry. Receivers only read.

import type { Model, ModelEvent, Resource } from '../model/model.js';
import { propertyDrafts } from './members.js';
import { replaced } from './replaced.js';
import type { Draft } from './report.js';
import { schemaChanges } from './schema-changes.js';

/** @returns what receivers meet */
export function webhookImpact(from: Model, to: Model): readonly Draft[] {
  const gone = from.events.filter(({ name }) => !to.events.some((event) => event.name === name));
  const added = to.events.filter(({ name }) => !from.events.some((event) => event.name === name));
  return [
    ...gone.map(({ name }) =>
      draft(name, { rule: 'event_removed', breaking: true, says: 'is gone', from: name, to: null }),
    ),
    ...added.map(({ name }) =>
      draft(name, { rule: 'event_added', breaking: false, says: 'is new', from: null, to: name }),
    ),
    ...to.events.flatMap((event) => {
      const before = from.events.find(({ name }) => name === event.name);
      return before === undefined
        ? []
        : [...owner({ from, to }, before, event), ...payload({ from, to }, before, event)];
    }),
  ];
}

type Rest = Pick<Draft, 'rule' | 'breaking' | 'says' | 'from' | 'to'>;

function draft(event: string, rest: Rest, below = ''): Draft {
  const place = below === '' ? event : `${event} ${below}`;
  return { part: 'webhooks', class: rest.breaking ? 'breaking' : 'safe', place, where: [event], ...rest };
}

/** A class that is another resource, told by its number, can be heard of by others. */
function owner(models: { from: Model; to: Model }, from: ModelEvent, to: ModelEvent): readonly Draft[] {
  if (from.ownerClass !== to.ownerClass) {
    const says = `owner class ${from.ownerClass} -> ${to.ownerClass}`;
    return [draft(to.name, { rule: 'event_owner', breaking: true, says, from: from.ownerClass, to: to.ownerClass })];
  }
  const numberOf = ({ resources }: Model, { owner }: ModelEvent) =>
    resources.find(({ name }) => name === owner)?.number;
  if (numberOf(models.from, from) === numberOf(models.to, to)) return [];
  const says = `is about ${to.owner ?? 'nothing anybody has'}, before about ${from.owner ?? 'nothing anybody has'}`;
  const breaking = from.owner !== null;
  return [draft(to.name, { rule: 'event_subject', breaking, says, from: from.owner, to: to.owner })];
}

function payload(models: { from: Model; to: Model }, from: ModelEvent, to: ModelEvent): readonly Draft[] {
  const [old, now] = [recordOf(models.from, from), recordOf(models.to, to)];
  if (old !== null && now !== null) {
    const side = (model: Model, resource: Resource) => ({ model, resource, calls: [] });
    const records = { from: side(models.from, old), to: side(models.to, now) };
    const at = { part: 'webhooks', where: [to.name], place: to.name } as const;
    return [...(old.name === now.name ? replaced(records, at) : []), ...propertyDrafts(records, at)];
  }
  if (old !== null || now !== null) {
    const says = `carries ${now?.name ?? 'a payload of its own'}, before ${old?.name ?? 'a payload of its own'}`;
    return [draft(to.name, { rule: 'event_payload', breaking: true, says, from: from.record, to: to.record })];
  }
  return schemaChanges(from.payload, to.payload).map(({ at, keyword, says, breaks, ...values }) => {
    const said = at === '' ? says : `${at}: ${says}`;
    return draft(
      to.name,
      {
        rule: 'payload_limit',
        breaking: breaks.response,
        says: `payload ${said}`,
        from: [keyword, values.from],
        to: values.to,
      },
      at,
    );
  });
}

function recordOf({ resources }: Model, { record }: ModelEvent): Resource | null {
  return resources.find(({ name }) => name === record) ?? null;
}
