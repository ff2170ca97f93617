// Preloaded into a program: appends each DDL statement for a PostgreSQL database to the file that NOTE_DDL names, as one JSON
// string per line.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Query {
  readonly text?: string;
}
type Send = (this: unknown, query: string | Query, ...more: readonly unknown[]) => unknown;

// This is the program's own copy of the driver, which differs from ours if another checkout runs.
const { Client } = createRequire(process.argv[1] ?? __filename)('pg') as { Client: { prototype: { query: Send } } };
const file = process.env.NOTE_DDL ?? '';
const send = Client.prototype.query;

Client.prototype.query = function note(query, ...more) {
  const text = typeof query === 'string' ? query : (query.text ?? '');
  if (/^\s*(CREATE|ALTER|DROP|DO)\b/i.test(text)) appendFileSync(file, `${JSON.stringify(text)}\n`);
  return send.call(this, query, ...more);
};
