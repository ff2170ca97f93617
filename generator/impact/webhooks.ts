// The web hook part of a report: events added and removed, and changes of their payloads.

import type { Model, ModelEvent, Resource } from '../model/model.js';
import { propertyDrafts, replaced } from './members.js';
import type { Draft } from './report.js';
import { schemaChanges } from './schema-changes.js';

/** @returns what changes for receivers */
export function webhookImpact(from: Model, to: Model): readonly Draft[] {
  const removed = from.events.filter(({ name }) => !to.events.some((event) => event.name === name));
  const added = to.events.filter(({ name }) => !from.events.some((event) => event.name === name));
  return [
    ...removed.map(({ name }) =>
      draft(name, { rule: 'event_removed', breaking: true, message: 'is gone', from: name, to: null }),
    ),
    ...added.map(({ name }) =>
      draft(name, { rule: 'event_added', breaking: false, message: 'is new', from: null, to: name }),
    ),
    ...to.events.flatMap((event) => {
      const before = from.events.find(({ name }) => name === event.name);
      return before === undefined
        ? []
        : [...owner({ from, to }, before, event), ...payload({ from, to }, before, event)];
    }),
  ];
}

type DraftContent = Pick<Draft, 'rule' | 'breaking' | 'message' | 'from' | 'to'>;

function draft(event: string, rest: DraftContent, below = ''): Draft {
  const place = below === '' ? event : `${event} ${below}`;
  return { part: 'webhooks', class: rest.breaking ? 'breaking' : 'safe', place, where: [event], ...rest };
}

/** If an owner class now denotes another resource (compared by number), the event reaches other receivers. */
function owner(models: { from: Model; to: Model }, from: ModelEvent, to: ModelEvent): readonly Draft[] {
  if (from.ownerClass !== to.ownerClass) {
    const message = `owner class ${from.ownerClass} -> ${to.ownerClass}`;
    return [draft(to.name, { rule: 'event_owner', breaking: true, message, from: from.ownerClass, to: to.ownerClass })];
  }
  const numberOf = ({ resources }: Model, { owner }: ModelEvent) =>
    resources.find(({ name }) => name === owner)?.number;
  if (numberOf(models.from, from) === numberOf(models.to, to)) return [];
  const message = `is about ${to.owner ?? 'nothing'}, previously about ${from.owner ?? 'nothing'}`;
  const breaking = from.owner !== null;
  return [draft(to.name, { rule: 'event_subject', breaking, message, from: from.owner, to: to.owner })];
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
    const message = `carries ${now?.name ?? 'its own payload'}, previously ${old?.name ?? 'its own payload'}`;
    return [draft(to.name, { rule: 'event_payload', breaking: true, message, from: from.record, to: to.record })];
  }
  return schemaChanges(from.payload, to.payload).map(({ at, keyword, message, breaks, ...values }) => {
    const change = at === '' ? message : `${at}: ${message}`;
    return draft(
      to.name,
      {
        rule: 'payload_limit',
        breaking: breaks.response,
        message: `payload ${change}`,
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
