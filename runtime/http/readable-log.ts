// Log lines for people: what a terminal shows in place of JSON.

import { format } from 'node:util';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** `12:04:05.123 info  GET /api/game/:id 200 3 ms id=0a01… request_id=…`; a line that is not JSON stays as it is. */
export function readableLine(line: string): string {
  const entry = parsed(line);
  if (entry === null) return line;
  const { level, time, msg = '', err, ...rest } = entry.msg === 'request' ? requestEntry(entry) : entry;
  const at = new Date(Number(time)).toISOString().slice(11, 23);
  const name = (LEVELS[Number(level)] ?? String(level)).padEnd(5);
  const values = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const stack = err === undefined ? '' : `\n${indented((err as { stack?: string }).stack ?? format(err))}`;
  return `${[at, name, msg, ...values].filter((part) => part !== '').join(' ')}${stack}\n`;
}

/** A request's method, route, status and time become the message; its id comes last. */
function requestEntry(line: Record<string, unknown>): Record<string, unknown> {
  const { method, route, status, ms, request_id, ...entry } = line;
  const took = Number(ms) < 10 ? Number(Number(ms).toFixed(1)) : Math.round(Number(ms));
  return { ...entry, msg: `${method} ${route} ${status} ${took} ms`, request_id };
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null && 'level' in value ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
