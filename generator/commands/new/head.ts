// Writes the four keys that every descriptor starts with, and turns names into words.

/** Begins with the line that makes editors check the file. */
export function head(name: string): string {
  return `# yaml-language-server: $schema=../descriptor.schema.json
# The language is on one page: spec/README.md.
resource: ${name}
title: ${titleOf(name)}
summary: One ${titleOf(name).toLowerCase()}. # TODO one sentence, which becomes documentation
plural: ${pluralOf(name)}
`;
}

/** `hook_box` becomes `Hook box`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
