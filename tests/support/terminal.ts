// A terminal on which commands show bars.

/** What is written on it, and the parts of the work whose bars came to their end, in their order. */
export function terminal(columns = 80) {
  const written: string[] = [];
  const write = (part: string): boolean => written.push(part) > 0;
  const text = (): string => written.join('');
  return {
    screen: { isTTY: true, columns, write },
    text,
    full: () => text().split('\n').flatMap(fullIn),
  };
}

function fullIn(line: string): readonly string[] {
  const [, , what] = /.* 100% \| ([\d,]+)\/\1 \| (?:[\d,.]+\/s, .*? \| )?(.+)/.exec(line) ?? [];
  // A control sequence follows that clears the rest of the line.
  return what?.split('\u001b', 1) ?? [];
}
