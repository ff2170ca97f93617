// Slips in the JSON Schema of a field: a keyword is changed or dropped, at any depth.
import { drop, type Node, node, type Slip, set } from './slip.js';

const LIMIT_KEYS = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'];

/** Every slip of a schema; `at` is the path within the schema of the field. */
export function schemaEdits(schema: Node, at: readonly string[] = []): readonly Slip[] {
  const place = at.join('/');
  const within = (whole: Node) => at.reduce((part, step) => node(part[step]), whole);
  const describe = (what: string) => `schema ${place === '' ? '' : `${place} `}${what}`;
  const limits = LIMIT_KEYS.filter((key) => typeof schema[key] === 'number').flatMap((key) => [
    { ...drop('', at, key), name: describe(`without ${key}`) },
    ...[1, -1].map((by) => ({
      name: describe(`${key} by ${by}`),
      apply: (whole: Node) => set(within(whole), key, Number(schema[key]) + by),
    })),
  ]);
  const keys = ['required', 'additionalProperties', 'pattern'].filter((key) => schema[key] !== undefined);
  const inner = [
    ...Object.keys(node(schema.properties)).map((name) => ['properties', name]),
    ...['items', 'additionalProperties'].filter((key) => Object.keys(node(schema[key])).length > 0).map((key) => [key]),
  ];
  return [
    ...limits,
    ...keys.map((key) => ({ ...drop('', at, key), name: describe(`without ${key}`) })),
    ...inner.flatMap((path) =>
      schemaEdits(
        path.reduce((part, step) => node(part[step]), schema),
        [...at, ...path],
      ),
    ),
  ];
}
