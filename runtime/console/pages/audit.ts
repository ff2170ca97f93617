// The audit log (D51): what administrators changed, newest first.

import type { AuditEntry, AuditedValues, AuditLog } from '../../store/audit.js';
import type { PageRequest, PageRoute } from '../page.js';
import { pathOf, type Resources } from '../resource.js';
import { type Cell, cell, field, form, pageView, section, table, timeText } from '../view.js';

export function auditPages(log: Pick<AuditLog, 'audits'>, resources: Resources): readonly PageRoute[] {
  return [{ method: 'GET', path: '/audit', run: (request) => show(log, resources, request) }];
}

const SHOWN = 50;

async function show(log: Pick<AuditLog, 'audits'>, { find }: Resources, { query }: PageRequest) {
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
    changes(entry),
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

/** A line for each value that changed. */
function changes({ before, after }: AuditEntry): Cell {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return cell('–');
  return cell(names.map((name) => `${name}: ${said(before, name)} → ${said(after, name)}`).join('\n'), { long: true });
}

function said(values: AuditedValues | null, name: string): string {
  return values === null ? '–' : JSON.stringify(values[name] ?? null);
}
