// The page of the secrets that only one answer shows: those of a new record, and of a renewed token.

import type { AnyDefinition } from '../../../contract/definition.js';
import type { PageAnswer } from '../page.js';
import { nameOf, pathOf, type ShownRecord } from '../resource.js';
import { cell, type Fact, fact, type Link, labelOf, pageView, section } from '../view.js';
import { pluralTitle } from '../wording.js';

/** The secrets of the answer. */
export function secretFacts({ properties, token }: AnyDefinition, record: ShownRecord): readonly Fact[] {
  const once = Object.keys(properties).filter((name) => properties[name]?.view === 'created');
  const names = [...once, ...(token === undefined ? [] : [token])].filter((name) => record[name] !== undefined);
  return names.map((name) => fact(labelOf(name), cell(String(record[name]), { code: true })));
}

/** What the page says about its record: the name, the list that it is in, and the path of its own page. */
export interface ShownPlace {
  readonly name: string;
  readonly list: Link;
  readonly href: string;
}

export function shownOnce({ name, list, href }: ShownPlace, facts: readonly Fact[]): PageAnswer {
  const page = pageView({
    title: `${name}: copy this now`,
    trail: [list],
    links: [{ text: 'Go on', href }],
    sections: [section({ heading: 'Shown only this once', facts })],
  });
  return { page };
}

/** Null: the record has no secrets. */
export function recordShownOnce(definition: AnyDefinition, record: ShownRecord): PageAnswer | null {
  const facts = secretFacts(definition, record);
  const href = pathOf(definition.name, String(record.id));
  const place = { name: nameOf(definition, record), list: listLink(definition), href };
  return facts.length === 0 ? null : shownOnce(place, facts);
}

export function listLink(definition: AnyDefinition): Link {
  return { text: pluralTitle(definition), href: `/console/records/${definition.name}` };
}
