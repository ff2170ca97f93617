// Parses the two date formats that clients send (D05).

const NOTATION =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})| (\d{2}:\d{2}:\d{2}))$/;

/**
 * RFC 3339 text, or `YYYY-MM-DD HH:MM:SS` in UTC, as RFC 3339 UTC text with milliseconds; further digits are cut.
 * Null for anything else, for days the calendar does not have, leap seconds and years outside 0000 to 9999.
 */
export function canonicalDate(text: string): string | null {
  const [, day, zonedTime, fraction = '', zone = 'Z', bareTime] = NOTATION.exec(text) ?? [];
  const local = `${day}T${zonedTime ?? bareTime}`;
  const wall = Date.parse(`${local}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse lets the 31st of a short month and 24:00 roll over; a rolled date does not read back as itself.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(local)) return null;
  const offset = offsetMinutes(zone);
  if (offset === null) return null;
  const canonical = new Date(wall - offset * 60_000).toISOString();
  return canonical.length === 24 ? canonical : null;
}

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
