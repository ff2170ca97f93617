// The tables of a database apart from those of its schema, as statements that may be repeated.
import type { AnyDefinition } from '../../definition.js';
import { hasWebhooks } from '../../webhooks/rules/hooks.js';
import { AUDIT_TABLE } from './audit.js';
import { fileIndexDdl } from './file-index.js';
import { SESSION_TABLE } from './identity.js';
import { ONCE_TABLES } from './once.js';
import { OUTBOX_TABLES } from './outbox/tables.js';

/** @param definitions all generated definitions */
export function engineTables(definitions: readonly AnyDefinition[]): readonly string[] {
  return [
    ...SESSION_TABLE,
    AUDIT_TABLE,
    ...ONCE_TABLES,
    ...fileIndexDdl(definitions),
    ...(hasWebhooks(definitions) ? OUTBOX_TABLES : []),
  ];
}
