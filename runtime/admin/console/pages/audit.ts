// The audit log (D51): what administrators changed, newest first.

import type { AnyDefinition, ColumnDefinition, Scalar } from '../../../contract/definition.js';
import type { AuditEntry, AuditLog } from '../../../store/audit.js';
import type { PageRequest, PageRoute } from '../page.js';
import { pathOf, propertyLabel, type Resources } from '../resource.js';
import { type Cell, cell, field, form, pageView, section, table, timeText } from '../view.js';

export function auditPages(log: Pick<AuditLog, 'audits'>, resources: Resources): readonly PageRoute[] {
  return [{ method: 'GET', path: '/audit', run: (request) => show(log, resources, request) }];
}

const SHOWN = 50;

async function show(log: Pick<AuditLog, 'audits'>, resources: Resources, { query }: PageRequest) {
  const { find } = resources;
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name].trim() : '');
  const [record, name] = [text('record'), text('name')];
  const entries = await log.audits({
    after: text('after') || null,
    limit: SHOWN,
    record: record || null,
    name: name || null,
  });
  const last = entries.at(-1);
  const next =
    last === undefined || entries.length < SHOWN
      ? null
      : { text: 'Older', href: `?${new URLSearchParams({ record, name, after: last.id })}` };
  const fields = [
    field({ name: 'name', label: 'Who', value: name }),
    field({ name: 'record', label: 'Id of the record', value: record }),
  ];
  const rows = entries.map((entry) => [
    cell(timeText(entry.at)),
    cell(entry.name),
    cell(entry.action),
    subject(entry, entry.resource !== null && find(entry.resource) !== undefined),
    changes(entry, entry.resource === null ? undefined : find(entry.resource)),
  ]);
  const columns = ['When', 'Who', 'What', 'Record', 'Before and after'];
  const shown = table({ caption: 'Audit log', columns, rows, empty: 'Nothing was changed.', next });
  const filters = form({ submit: 'Show', tone: 'quiet', fields });
  return {
    page: pageView({
      title: 'Audit log',
      sections: [section({ form: filters }), section({ id: 'results', table: shown })],
    }),
  };
}

function subject({ resource, record }: AuditEntry, isShown: boolean): Cell {
  if (resource === null || record === null) return cell(resource ?? '–');
  return cell(`${resource} ${record}`, { code: true, href: isShown ? pathOf(resource, record) : null });
}

/** A line for each value that changed, in the words of the record's own page. */
function changes({ before, after }: AuditEntry, definition: AnyDefinition | undefined): Cell {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return cell('–');
  const lines = names.map((name) => {
    const type = definition?.columns[name]?.type;
    const [old, now] = [before, after].map((values) => valueText(values?.[name] ?? null, type));
    return `${propertyLabel(name)}: ${before === null ? now : after === null ? old : `${old} → ${now}`}`;
  });
  return cell(lines.join('\n'), { long: true });
}

function valueText(value: Scalar, type: ColumnDefinition['type'] | undefined): string {
  if (value === null || value === '') return '–';
  if (type === 'boolean') return value === 1 ? 'yes' : 'no';
  return type === 'date' && typeof value === 'number' ? timeText(value) : String(value);
}
