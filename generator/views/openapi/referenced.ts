// Leaves out components that nothing refers to: a service without lists needs no paging. Knows no component by name.

import type { Fragment } from './fragment.js';

type Sections = Readonly<Record<string, Fragment>>;

/**
 * @param components by section and name
 * @param roots what stands outside the components
 * @returns the components that the roots refer to, directly or through others, in their order
 */
export function referenced(components: Sections, roots: Fragment): Sections {
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    for (const pointer of pointersIn(value)) {
      const [section = '', name = ''] = pointer.slice(PREFIX.length).split('/');
      if (!pointer.startsWith(PREFIX) || used.has(`${section}/${name}`)) continue;
      used.add(`${section}/${name}`);
      follow(components[section]?.[name]);
    }
  };
  follow(roots);
  return Object.fromEntries(
    Object.entries(components).map(([section, entries]) => [
      section,
      Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`${section}/${name}`))),
    ]),
  );
}

const PREFIX = '#/components/';

/** Every `$ref`, wherever it stands. */
function pointersIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : pointersIn(inner),
  );
}
