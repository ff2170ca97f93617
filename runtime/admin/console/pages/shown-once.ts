// The page of the secrets that only one answer shows: those of a new record, and of a renewed token.

import type { AnyDefinition } from '../../../contract/definition.js';
import type { PageAnswer } from '../page.js';
import { nameOf, pathOf, type ShownRecord } from '../resource.js';
import { cell, type Fact, fact, type Link, labelOf, pageView, section } from '../view.js';
import { pluralTitle } from '../words.js';

/** The secrets of the answer. */
export function secretFacts({ properties, token }: AnyDefinition, record: ShownRecord): readonly Fact[] {
  const once = Object.keys(properties).filter((name) => properties[name]?.view === 'created');
  const names = [...once, ...(token === undefined ? [] : [token])].filter((name) => record[name] !== undefined);
  return names.map((name) => fact(labelOf(name), cell(String(record[name]), { code: true })));
}

/** Null: there are none. */
export function shownOnce(definition: AnyDefinition, record: ShownRecord): PageAnswer | null {
  const facts = secretFacts(definition, record);
  if (facts.length === 0) return null;
  const page = pageView({
    title: `${nameOf(definition, record)}: copy this now`,
    trail: [listLink(definition)],
    links: [{ text: 'Open the record', href: pathOf(definition.name, String(record.id)) }],
    sections: [section({ heading: 'Shown only this once', facts })],
  });
  return { page };
}

export function listLink(definition: AnyDefinition): Link {
  return { text: pluralTitle(definition), href: `/console/records/${definition.name}` };
}
