// The page of a code: the reason for the rule, and an example of the mistake with its fix.
import type { Code } from '../catalogue.js';

/**
 * An example is what follows the four first keys of `spec/resources/piece.yaml`, or whole files, each below a line
 * `# spec/...`. A user (the principal) and a file (the store of uploads) are there unless it brings its own.
 */
export interface Page {
  readonly why: string;
  readonly wrong: string;
  readonly right: string;
}

/** A page for each code of a group, such as `02`; a missing one does not compile. */
export type Pages<Group extends string> = Readonly<Record<Extract<Code, `${'E' | 'W'}${Group}${string}`>, Page>>;

/** A multi-line text without its shared indentation and its first line break. */
export function yaml(parts: TemplateStringsArray, ...values: readonly string[]): string {
  const text = String.raw({ raw: parts }, ...values)
    .replace(/^\n/, '')
    .replace(/\n *$/, '\n');
  const shared = Math.min(...[...text.matchAll(/^( *)\S/gm)].map(([, indent = '']) => indent.length));
  return text.replace(new RegExp(`^ {${shared}}`, 'gm'), '');
}
