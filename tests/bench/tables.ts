// Prints what was measured.

export function ratio(value: number, to: number): string {
  return (value / to).toFixed(2);
}

export function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  console.log([line(head), ...rows.map(line), ''].join('\n'));
}
