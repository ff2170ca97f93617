// Writes the keys that every descriptor starts with, and turns names into words.

/** Begins with the line that makes editors check the file. */
export function head(name: string): string {
  return `# yaml-language-server: $schema=../descriptor.schema.json
# The language is on one page: spec/README.md.
title: ${titleOf(name)}
summary: One ${titleOf(name).toLowerCase()}. # TODO one sentence, which becomes documentation
${irregularPlural(name) === null ? '' : `plural: ${irregularPlural(name)}\n`}`;
}

/** `hook_box` becomes `Hook box`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The plural that a descriptor has to state; null: the language's own rule gives it. */
export function irregularPlural(name: string): string | null {
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : null;
}
