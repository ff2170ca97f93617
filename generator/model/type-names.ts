// The names of generated types.

/** `two_sided_box` to `TwoSidedBox`. */
export function pascalCase(name: string): string {
  if (!name.includes('_')) return name.charAt(0).toUpperCase() + name.slice(1);
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
