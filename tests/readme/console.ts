// Reads the console blocks of the README as steps: what is typed, and what must be shown.

export interface Step {
  /** A shell command, with its here-document. */
  readonly command: string;
  /** Lines of output as the README shows them; `…` matches anything. */
  readonly expected: readonly string[];
}

/** Every ```console block from top to bottom, in which each command starts with `$ `. */
export function steps(markdown: string): readonly Step[] {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, body]) => body ?? '');
  return blocks.flatMap((block) => block.split(/^\$ /m).slice(1).map(step));
}

function step(text: string): Step {
  const lines = text.trimEnd().split('\n');
  const marker = /<<'?(\w+)/.exec(lines[0] ?? '')?.[1];
  const end = marker === undefined ? 0 : lines.indexOf(marker);
  return { command: lines.slice(0, end + 1).join('\n'), expected: lines.slice(end + 1) };
}

/** @returns null if the output is what the README shows, otherwise both for a person to compare */
export function difference(expected: readonly string[], output: string): string | null {
  const pattern = expected.map((line) => line.split('…').map(literally).join('.*')).join('\n');
  const shown = output.trimEnd();
  return new RegExp(`^${pattern}$`).test(shown) ? null : `README shows:\n${expected.join('\n')}\nit says:\n${shown}`;
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
