// A slip and the few ways to create one: setting, changing or removing a key or value. Independent of the keys of the language.

export type Node = Record<string, unknown>;

/** A slip: its name, and its effect on the part of the file that it changes. */
export interface Slip {
  readonly name: string;
  readonly apply: (part: Node) => void;
}

/** Slips that remove each value, add another, and replace the first. */
export function listSlips(key: string, values: readonly unknown[], more: unknown): readonly Slip[] {
  return [
    ...(values.length > 1 ? values.map((one) => without(key, one)) : []),
    { name: `${key} and ${more}`, apply: (part) => set(part, key, [...values, more]) },
    { name: `${key}: ${more} for ${values[0]}`, apply: (part) => set(part, key, [more, ...values.slice(1)]) },
  ];
}

export function without(key: string, value: unknown): Slip {
  return {
    name: `${key} without ${value}`,
    apply: (part) =>
      set(
        part,
        key,
        (part[key] as readonly unknown[]).filter((one) => one !== value),
      ),
  };
}

export function put(key: string, value: unknown): Slip {
  return { name: `${key}: ${JSON.stringify(value)}`, apply: (part) => set(part, key, value) };
}

export function drop(name: string, at: readonly string[], key: string): Slip {
  return { name: `no ${name}`, apply: (whole) => delete at.reduce((part, step) => node(part[step]), whole)[key] };
}

/** Sets a key. An assignment as the body of a function would be easy to overlook. */
export function set(part: Node, key: string, value: unknown): void {
  part[key] = value;
}

export function node(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
}
