// Which value stands on a line of JSON that was written with two spaces of indentation. Reads no values.

/** The keys and indexes that lead to the value of a line (from 1); a closing bracket belongs to what it closes. */
export function pathAt(text: string, line: number): readonly (string | number)[] {
  const open: { step: string | number; items: number }[] = [];
  for (const one of text.split('\n').slice(0, line)) {
    const depth = one.search(/\S|$/) / 2;
    if (/^\s*[\]}]/.test(one)) {
      open.length = depth + 1;
      continue;
    }
    open.length = Math.min(open.length, depth);
    const key = /^\s*("(?:[^"\\]|\\.)*"):/.exec(one)?.[1];
    const parent = open.at(-1);
    open.push({ step: key === undefined ? (parent?.items ?? 0) : (JSON.parse(key) as string), items: 0 });
    if (parent !== undefined) parent.items++;
  }
  return open.slice(1).map(({ step }) => step);
}
