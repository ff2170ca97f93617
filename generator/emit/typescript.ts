// Small pieces of TypeScript source as text: literals, names and imports.

/** A value as a single-quoted TypeScript literal; text that holds a single quote and no double quote is double-quoted. */
export function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (PLAIN.test(value)) return `'${value}'`;
  const json = JSON.stringify(value);
  if (value.includes("'") && !value.includes('"')) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Matches almost every text: no quotes, backslashes, or characters that JSON escapes. */
const PLAIN = /^[ !#-&(-[\]-~]*$/;

/** A text inside a comment: one line, without anything that would end the comment. */
export function comment(text: string): string {
  // Single spaces, the only white space in most texts, are left alone: replacing each takes five times as long.
  return text
    .replaceAll('*/', '*\\/')
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim();
}

/** A property name, quoted unless it is an identifier. */
export function property(name: string): string {
  // A plain key of this name would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

export interface Imports {
  /** @returns the name of a value that the module exports */
  value(name: string, module: string): string;
  /** @returns the name of a type that the module exports */
  type(name: string, module: string): string;
  /** @returns the name of a namespace with everything that the module exports */
  all(name: string, module: string): string;
  /** A line for each module, in the order of their paths; empty if nothing was used. */
  text(): string;
}

/** The names that a file uses of one module. */
interface UsedSymbols {
  readonly names: Set<string>;
  readonly types: Set<string>;
}

/** @param self the module itself, whose declarations need no import */
export function openImports(self: string | null = null): Imports {
  const modules = new Map<string, UsedSymbols>();
  const used = (module: string): UsedSymbols => {
    const symbols = modules.get(module) ?? { names: new Set(), types: new Set() };
    modules.set(module, symbols);
    return symbols;
  };
  const note = (names: Set<string>, name: string): string => {
    names.add(name);
    return name;
  };
  return {
    value: (name, module) => note(used(module).names, name),
    type: (name, module) => (module === self ? name : note(used(module).types, name)),
    all(name, module) {
      used(module).names.add(`* as ${name}`);
      return name;
    },
    text: () =>
      [...modules]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(line)
        .join(''),
  };
}

function line([module, { names, types }]: readonly [string, UsedSymbols]): string {
  const sorted = [...types].sort();
  if (names.size === 0) return `import type { ${sorted.join(', ')} } from '${module}';\n`;
  const all = [...names].sort();
  if (all[0]?.startsWith('*')) return `import ${all[0]} from '${module}';\n`;
  return `import { ${[...all, ...sorted.map((name) => `type ${name}`)].join(', ')} } from '${module}';\n`;
}
