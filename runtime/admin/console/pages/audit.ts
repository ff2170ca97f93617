// The audit log (D51): what administrators changed, newest first, in words.

import { roleOf } from '../../../auth/roles.js';
import type { AnyDefinition, Scalar } from '../../../contract/definition.js';
import type { AuditEntry, AuditLog } from '../../../store/audit.js';
import { type NameLookup, referredBy } from '../names.js';
import type { PageRequest, PageRoute } from '../page.js';
import { pathOf, type Resources, userPath, valueCell } from '../resource.js';
import { type Cell, cell, field, form, labelOf, nextPage, pageView, section, table, timeCell } from '../view.js';
import { inSentence, nameColumn, ROLE_WORDS } from '../wording.js';

export function auditPages(log: Pick<AuditLog, 'audits'>, resources: Resources): readonly PageRoute[] {
  return [{ method: 'GET', path: '/audit', run: (request) => show(log, resources, request) }];
}

const SHOWN = 50;

async function show(log: Pick<AuditLog, 'audits'>, resources: Resources, { query }: PageRequest) {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name].trim() : '');
  const [record, name] = [text('record'), text('name')];
  const filters = { record: record || null, name: name || null };
  const entries = await log.audits({ ...filters, after: text('after') || null, limit: SHOWN });
  const next = nextPage(entries, { limit: SHOWN, text: 'Older' }, ({ id }) => ({ record, name, after: id }));
  const fields = [
    field({ name: 'name', label: 'Who', value: name }),
    field({ name: 'record', label: 'ID of the record', value: record }),
  ];
  const described = entries.map(
    (entry): DescribedEntry => ({ entry, definition: resources.find(entry.resource ?? '') }),
  );
  const names = await resources.names(described.flatMap(referred));
  const rows = described.map((one) => [timeCell(one.entry.at), sentence(one, names), changes(one, names)]);
  const columns = ['When', 'What', 'Before and after'];
  const shown = table({ caption: 'Audit log', columns, rows, empty: 'Nothing was changed.', next });
  const filter = form({ submit: 'Show', tone: 'quiet', fields });
  return {
    page: pageView({
      title: 'Audit log',
      sections: [section({ form: filter }), section({ id: 'results', table: shown })],
    }),
  };
}

interface DescribedEntry {
  readonly entry: AuditEntry;
  /** Undefined: the entry is not about a record, or its resource no longer exists. */
  readonly definition: AnyDefinition | undefined;
}

/** The record of an entry, and the records that its values refer to. */
function referred({ entry, definition }: DescribedEntry): readonly (readonly [string, unknown])[] {
  if (definition === undefined) return [];
  const { before, after, record } = entry;
  const values = [before, after].flatMap((one) => (one === null ? [] : [...referredBy(definition, one)]));
  return [[definition.name, record], ...values];
}

/** The words between the author and the record, and those after the record. */
type Words = readonly [before: string, after?: string];

const ACTIONS: Readonly<Record<string, Words>> = {
  create: ['created'],
  update: ['changed'],
  delete: ['deleted'],
  pause: ['paused'],
  resume: ['resumed'],
  retry: ['tried again the deliveries of'],
  publish: ['published an event of'],
  migrate: ['changed the schema of the database'],
  'end sessions': ['ended the sessions of'],
  'back up': ['made a backup'],
  'download a backup': ['downloaded a backup'],
};

/** Words for a change of only this field of a user, by its new value. */
const USER_CHANGES: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  disabled: { 1: ['disabled'], 0: ['enabled'] },
};

function wordsOf({ entry, definition }: DescribedEntry): Words {
  const { action, after } = entry;
  const changed = changedNames(entry);
  const [only = '', ...others] = changed;
  const isOfUser = action === 'update' && definition?.principal;
  if (isOfUser && after !== null && changed.every((name) => name === 'admin' || name === 'operator_role'))
    return ['made', ROLE_WORDS[roleOf(after)]];
  if (isOfUser && others.length === 0) {
    if (definition.parameters[only]?.kind === 'password') return ['set the password of'];
    const words = USER_CHANGES[only]?.[String(after?.[only])];
    if (words !== undefined) return words;
  }
  return ACTIONS[action] ?? [`carried out “${labelOf(action)}” on`];
}

/** `Ada disabled Bob`, with links to both. */
function sentence(described: DescribedEntry, names: NameLookup): Cell {
  const { user, name } = described.entry;
  const who = cell(name, { href: user === null ? null : userPath(user) });
  const [before, after] = wordsOf(described);
  const parts = [
    who,
    cell(` ${before} `),
    ...subject(described, names),
    ...(after === undefined ? [] : [cell(` ${after}`)]),
  ];
  return cell('', { lines: [parts] });
}

/** The record: a link, unless it no longer exists. */
function subject({ entry, definition }: DescribedEntry, names: NameLookup): readonly Cell[] {
  const { record, before, after } = entry;
  if (record === null) return [];
  if (definition === undefined) return [cell(record, { href: `/console/find?q=${encodeURIComponent(record)}` })];
  const { name: resource, title, principal } = definition;
  const current = names(resource, record);
  const column = nameColumn(definition);
  const earlier = column === null ? null : (before ?? after)?.[column];
  const isGone = entry.action === 'delete' || (column !== null && current === null);
  const path = principal ? userPath(record) : pathOf(resource, record);
  const name = current ?? earlier ?? null;
  const link = { href: isGone ? null : path };
  if (name === null) return [cell('the '), cell(inSentence(title), link)];
  return [...(principal ? [] : [cell(`the ${inSentence(title)} `)]), cell(String(name), link)];
}

/** The changed values by their names, without the dates that every change sets. */
function changedNames({ before, after }: AuditEntry): readonly string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.filter((name) => !['id', 'date_created', 'date_updated'].includes(name));
}

/** A line for each value that changed, in the words of the record's own page. */
function changes({ entry, definition }: DescribedEntry, names: NameLookup): Cell {
  const { before, after } = entry;
  const isWhole = before === null || after === null;
  const lines = changedNames(entry).flatMap((name) => {
    const [old = null, now = null] = [before, after].map((values) => values?.[name]);
    const label = cell(`${labelOf(name)}: `);
    const shown = (value: Scalar): Cell => {
      // The time since which deliveries are retried.
      if (name === 'since' && typeof value === 'number') return timeCell(value);
      const values = { ...(after ?? before), [name]: value };
      return definition === undefined ? cell(String(value ?? '–')) : valueCell(definition, values, name, names);
    };
    if (!isWhole) return [[label, shown(old), cell(' → '), shown(now)]];
    const value = now ?? old;
    return value === null || value === '' ? [] : [[label, shown(value)]];
  });
  return lines.length === 0 ? cell('–') : cell('', { lines });
}
