// What the page of a code is: why the language says so, and an example of the mistake with its fix. Types and one tag.
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

/** A page for each code of a group, such as `02`: one that is missing does not compile. */
export type Pages<Group extends string> = Readonly<Record<Extract<Code, `${'E' | 'W'}${Group}${string}`>, Page>>;

/** A text as it stands in the code, without the indentation that all its lines share and the break it starts with. */
export function yaml(parts: TemplateStringsArray, ...values: readonly string[]): string {
  const text = String.raw({ raw: parts }, ...values)
    .replace(/^\n/, '')
    .replace(/\n *$/, '\n');
  const shared = Math.min(...[...text.matchAll(/^( *)\S/gm)].map(([, indent = '']) => indent.length));
  return text.replace(new RegExp(`^ {${shared}}`, 'gm'), '');
}
