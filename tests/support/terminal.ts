// A terminal on which commands show progress bars.

/** The text written to it, and the parts of the work whose bars reached their end, in order. */
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
  // A control sequence follows, which clears the rest of the line.
  return what?.split('\u001b', 1) ?? [];
}
