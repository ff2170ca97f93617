// The two sides of a text in which git left conflict marks. Pure.

/** True if git left conflict marks in the text. */
export function hasConflictMarks(text: string): boolean {
  return /^(<{7}|={7}|>{7})( |\r?$)/m.test(text);
}

type Side = 'both' | 'one' | 'base' | 'other';

/** The text as each side has it, which may not be whole: what both have changed is of one side, anything else of both. */
export function sidesOf(text: string): readonly [string, string] {
  const sides = { one: [] as string[], other: [] as string[] };
  let part: Side = 'both';
  for (const line of text.split(/\r?\n/)) {
    const next = partAfter(line, part);
    if (next !== null) part = next;
    else {
      if (part === 'both' || part === 'one') sides.one.push(line);
      if (part === 'both' || part === 'other') sides.other.push(line);
    }
  }
  return [sides.one.join('\n'), sides.other.join('\n')];
}

/** @returns null for a line that is not a mark */
function partAfter(line: string, part: Side): Side | null {
  if (/^<{7}( |$)/.test(line)) return 'one';
  // The style diff3 shows what both had before.
  if (/^\|{7}( |$)/.test(line)) return 'base';
  if (/^={7}$/.test(line) && part !== 'both') return 'other';
  return /^>{7}( |$)/.test(line) ? 'both' : null;
}

/** JSON, one key a line, with a comma exactly where another member follows: a side may end where the other went on. */
export function withCommas(json: string): string {
  const lines = json.split('\n').filter((line) => line.trim() !== '');
  return lines
    .map((line, at) => {
      const bare = line.replace(/,\s*$/, '');
      const isLast = /^\s*[}\]]/.test(lines[at + 1] ?? '}');
      return isLast || /[{[]$/.test(bare) ? bare : `${bare},`;
    })
    .join('\n');
}

/** A key that an object of a JSON text has several times: git has put together what only one side has. */
export interface RepeatedKey {
  /** The keys of the objects that it is in. */
  readonly path: readonly string[];
  readonly key: string;
  /** As texts; that of an object is its bracket. */
  readonly values: readonly string[];
}

/** @param json as `withCommas` returns it */
export function repeatedKeys(json: string): readonly RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  const open: { readonly key: string; readonly values: Map<string, string[]> }[] = [];
  for (const line of json.split('\n')) {
    const [, key = '', value = ''] = /^\s*"([^"]*)": (.*?),?$/.exec(line) ?? [];
    if (value !== '') {
      const { values } = open.at(-1) ?? { values: new Map<string, string[]>() };
      values.set(key, [...(values.get(key) ?? []), value]);
    }
    if (/[{[]$/.test(line)) open.push({ key, values: new Map() });
    if (!/^\s*[}\]]/.test(line)) continue;
    const path = open.map((one) => one.key).slice(1);
    for (const [name, all] of open.pop()?.values ?? []) {
      if (new Set(all).size > 1 || (all.length > 1 && /[{[]$/.test(all[0] ?? ''))) {
        repeated.push({ path, key: name, values: all });
      }
    }
  }
  return repeated;
}
