// The four keys that every descriptor starts with, and words made of names.

/** With the line that makes editors check the file. */
export function head(name: string): string {
  return `# yaml-language-server: $schema=../descriptor.schema.json
# The language is on one page: spec/README.md.
resource: ${name}
title: ${spoken(name)}
summary: One ${spoken(name).toLowerCase()}. # TODO one sentence, which becomes documentation
plural: ${pluralOf(name)}
`;
}

/** `hook_box` to `Hook box`. */
export function spoken(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
