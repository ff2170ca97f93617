// Rules about the catalogue: its path, its attributes, and the rows that resources and identities give it.

import { ROW_KEYS } from '../../runtime/contract/catalogue.js';
import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { suggestion } from '../diagnostics/suggest.js';
import { attributesOfRows, commonEntry, isCatalogued, isPiece, rowsOf } from '../language/catalogue.js';
import type { CatalogueKeys, RawCatalogue } from '../language/language.js';
import { plain } from '../language/normalize.js';
import { whyUnsuitable } from './literal.js';
import { FIXED_PATHS } from './name-rules.js';
import type { Project } from './project.js';
import { each, type RuleTable } from './rule.js';
import { at, isMalformed, placeOfValue, type Subject } from './subject.js';

export const CATALOGUE_RULES: RuleTable = {
  'the catalogue lists what extends a convention': function* ({ spec, shared }) {
    const { catalogue, conventions } = spec;
    if (catalogue === null || conventions.includes(catalogue.of) || isMalformed(shared, 'conventions')) return;
    const holes = { convention: catalogue.of };
    yield diagnostic('E0304', at(shared, ['catalogue', 'of']), holes, suggestion(catalogue.of, conventions));
  },

  /** Nothing else is at its path or below, and it is not below another path. */
  'the path of the catalogue is free': function* ({ spec: { catalogue }, byName, shared }) {
    if (catalogue === null) return;
    const { path } = catalogue;
    const taken = [...byName.values()].flatMap(({ raw }) => {
      const aliases = Object.values(raw.paths ?? {}).flat();
      const names = [raw.resource, ...(raw.old_names ?? []).map(({ name }) => name)].map((name) => `/api/${name}`);
      return [...aliases, ...names].map((one) => [one, raw.resource] as const);
    });
    const other = [...taken, ...FIXED_PATHS.map((one) => [one, 'the service'] as const)].find(
      ([one]) => isBelow(one, path) || isBelow(path, one),
    );
    if (other === undefined) return;
    yield diagnostic('E0310', at(shared, ['catalogue', 'path']), { operation: 'GET', path, other: other[1] });
  },

  /** `title` is a key of resources; the client has the catalogue's rows where it has the methods of resources. */
  'names that the catalogue uses are left to it': function* ({ spec: { catalogue }, byName, shared }) {
    if (catalogue === null) return;
    for (const name of catalogue.attributes.keys()) {
      if (![...ROW_KEYS, 'title', 'constructor'].includes(name)) continue;
      const holes = { name, reason: 'rows of the catalogue already use it' };
      yield diagnostic('E0307', at(shared, ['catalogue', 'attributes', name], 'key'), holes);
    }
    const resource = byName.get('catalogue');
    if (resource === undefined) return;
    const holes = { name: 'catalogue', reason: 'clients use it for the catalogue' };
    yield diagnostic('E0307', at(resource, ['resource']), holes);
  },

  'only resources in the catalogue say anything about it': each(function* (subject, project) {
    const { catalogue } = project.spec;
    if (isMalformed(project.shared, 'catalogue') || isMalformed(subject, 'identities')) return;
    if (isCatalogued(subject.raw, catalogue)) return;
    for (const { place } of statedBy(subject).slice(0, 1))
      yield diagnostic('E0442', place(), absence(subject, catalogue));
  }),

  'an attribute in the catalogue is declared, and its value fits': each(function* (subject, project) {
    const { catalogue } = project.spec;
    if (catalogue === null || !isCatalogued(subject.raw, catalogue)) return;
    for (const { keys, place } of statedBy(subject)) {
      for (const [key, value] of Object.entries(keys)) yield* fits(project, { key, value, place });
    }
  }),

  'a title in the catalogue is a pattern of words and digits': each(function* (subject) {
    const { title = '' } = commonEntry(subject.raw);
    const wrong = (title.match(/\{[^{}]*\}/g) ?? []).find((one) => !HOLES.includes(one));
    if (wrong === undefined) return;
    const problem = `${wrong} is unknown; only ${HOLES.join(' and ')} are replaced`;
    yield diagnostic('E0401', at(subject, ['catalogue', 'title']), { key: 'title', problem });
  }),

  'an identity has one row in the catalogue': function* ({ byName, spec: { catalogue } }) {
    const taken = new Map<string, string>();
    for (const subject of byName.values()) {
      const { raw } = subject;
      for (const identity of rowsOf(raw, catalogue)) {
        const other = taken.get(identity);
        if (other === undefined) taken.set(identity, raw.resource);
        else yield diagnostic('E0443', placeOfValue(subject, 'identity', identity), { identity, other });
      }
    }
  },

  'a row of the catalogue has one kind of piece': function* ({ byName, referring, spec: { catalogue } }) {
    for (const { raw } of byName.values()) {
      if (!isCatalogued(raw, catalogue)) continue;
      const pieces = (referring.get(raw.resource) ?? []).filter(({ field }) => isPiece(field));
      const [first] = pieces;
      const other = pieces.find(({ subject }) => subject !== first?.subject);
      if (first === undefined || other === undefined) continue;
      const holes = { resource: raw.resource, one: first.subject.raw.resource, other: other.subject.raw.resource };
      yield diagnostic('E0444', at(other.subject, ['fields', other.name], 'key'), holes);
    }
  },
};

function isBelow(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`);
}

interface StatedKeys {
  readonly keys: CatalogueKeys;
  /** Where the keys are, or one of them. */
  readonly place: (key?: string, which?: 'key' | 'value') => YamlPosition;
}

/** What a resource and its identities say about their rows, except for `title`. */
function statedBy(subject: Subject): readonly StatedKeys[] {
  const { raw } = subject;
  const ofAll = { keys: commonEntry(raw).attributes, place: placeBelow(subject, ['catalogue']) };
  const identities = Object.entries(attributesOfRows(raw)).map(([identity, keys]) => ({
    keys: keys === false ? {} : keys,
    place: placeBelow(subject, ['identities', identity, 'catalogue']),
  }));
  return [...(raw.catalogue === undefined ? [] : [ofAll]), ...identities];
}

function placeBelow(subject: Subject, pointer: readonly string[]) {
  return (key?: string, which: 'key' | 'value' = 'key') =>
    at(subject, key === undefined ? pointer : [...pointer, key], which);
}

/** Why the resource has no rows, and what would change that. */
function absence({ raw }: Subject, catalogue: RawCatalogue | null) {
  if (catalogue === null) {
    return { reason: 'conventions.yaml does not declare one', advice: 'declare "catalogue" there' };
  }
  const { of } = catalogue;
  return raw.extends.includes(of)
    ? { reason: 'the resource has no identities', advice: 'add "identities"' }
    : { reason: `only resources that extend "${of}" are in it`, advice: `add "extends: ${of}"` };
}

interface Attribute extends Pick<StatedKeys, 'place'> {
  readonly key: string;
  readonly value: unknown;
}

function* fits({ spec: { catalogue }, shared }: Project, { key, value, place }: Attribute): Iterable<Diagnostic> {
  const field = catalogue?.attributes.get(key);
  if (field !== undefined) {
    const problem = whyUnsuitable(field, value);
    if (problem !== null) yield diagnostic('E0401', place(key, 'value'), { key, problem });
  } else if (!Object.hasOwn(plain(plain(shared.document.value.catalogue).attributes), key)) {
    const known = catalogue?.attributes.keys() ?? [];
    yield diagnostic('E0201', place(key), { key, where: ' in catalogue' }, suggestion(key, known));
  }
}

const HOLES = ['{words}', '{digits}'];
