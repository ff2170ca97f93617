// Reads the parameters, references, paths and lists of a descriptor from plain YAML, like descriptor.ts.
import { descriptor, descriptorNames, identitiesOf, type Node, node, pluralOf } from './descriptor.js';
import { furtherNames, type Operation } from './table.js';

export interface DescribedParameters {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly ignored: readonly string[];
  readonly synonyms: Readonly<Record<string, string>>;
  readonly references: Readonly<Record<string, unknown>>;
}

/** The parameters of a create as the descriptor states them; `types` are the media types of an image that names none. */
export function describedParameters(of: Node, types: readonly string[]): DescribedParameters {
  const fields = Object.entries(node(of.fields)).map(([name, field]) => [name, node(field)] as const);
  const settable = fields.filter(
    ([, field]) => field.kind !== 'computed' && field.read_only !== true && (field.from ?? field.make) === undefined,
  );
  const required = settable.filter(([, field]) => field.required === true);
  const optional = settable.filter(([, field]) => field.required !== true);
  return {
    required: required.flatMap(([name, field]) => names(name, field).slice(0, 1)),
    optional: [
      ...(of.identities ? ['identity'] : []),
      ...optional.flatMap(([name, field]) => names(name, field)),
      ...required.flatMap(([name, field]) => names(name, field).slice(1)),
    ],
    ignored: (of.ignores ?? []) as readonly string[],
    synonyms: Object.fromEntries(settable.flatMap(([name, field]) => synonyms(name, field))),
    references: Object.fromEntries(settable.flatMap(([name, field]) => reference(name, field, types))),
  };
}

/** The id first, then the proof flag. */
function names(name: string, field: Node): readonly string[] {
  const isFile = field.kind === 'image' || field.kind === 'file';
  if (!isFile) return [field.kind === 'reference' ? `${name}_id` : name];
  const proof = field.kind === 'image' && field.proof !== false;
  return proof ? [`${name}_id`, `has_proofed_${name}`] : [`${name}_id`];
}

function synonyms(name: string, field: Node): readonly (readonly [string, string])[] {
  const otherNames = (field.synonyms ?? []) as readonly string[];
  const ownNames = names(name, field);
  // Synonyms of a reference are already names of its id; those of an image get `_id` appended.
  const expanded = (other: string) => (field.kind === 'reference' ? [other] : names(other, field));
  return otherNames.flatMap((other) => expanded(other).map((each, at) => [each, ownNames[at] ?? ''] as const));
}

function reference(name: string, field: Node, types: readonly string[]): readonly (readonly [string, unknown])[] {
  const set = { to: 'file', need: 'use', onDelete: field.on_delete ?? 'set_null' };
  if (field.kind === 'image') return [[`${name}_id`, { ...set, accepts: field.types ?? types }]];
  if (field.kind === 'file') return [[`${name}_id`, set]];
  if (field.kind !== 'reference') return [];
  return [[`${name}_id`, { to: field.to, need: field.need, onDelete: field.on_delete }]];
}

/** Further path forms: `DELETE /booklet/{id}`. */
export function describedPaths(of: Node): readonly string[] {
  const forms: Readonly<Record<Operation, (base: string) => string>> = {
    create: (base) => `POST ${base}`,
    fetch: (base) => `GET ${base}/{id}`,
    update: (base) => `PUT ${base}/{id}`,
    delete: (base) => `DELETE ${base}/{id}`,
  };
  const operations = Object.keys(forms) as Operation[];
  return Object.entries(node(of.paths)).flatMap(([key, bases]) =>
    [bases as string | readonly string[]]
      .flat()
      .flatMap((base) =>
        operations.filter((operation) => key === 'all' || key === operation).map((operation) => forms[operation](base)),
      ),
  );
}

/** The documented lists below `parent`, by name; a condition follows the resource, as in `booklet identity=SmallBooklet`. */
export function describedLists(parent: string): Readonly<Record<string, string>> {
  const documented = descriptorNames().filter((name) => !furtherNames.includes(name));
  return Object.fromEntries(
    documented.flatMap((child) => {
      const of = descriptor(child);
      const parentFields = Object.values(node(of.fields)).map(node);
      return parentFields.filter((field) => field.to === parent).flatMap((field) => listsOf(child, field, of));
    }),
  );
}

function listsOf(child: string, field: Node, of: Node): readonly (readonly [string, string])[] {
  const whole = field.list === true ? of.plural : field.list;
  const some = Object.entries(node(field.lists)).map(([name, entry]) => {
    const where = Object.entries(node(node(entry).where)).map(([key, value]) => `${key}=${String(value)}`);
    return [name, [child, ...where].join(' ')] as const;
  });
  const each = field.list_each === 'identity' ? ofIdentities(child, of) : [];
  return [...each, ...(whole ? [[String(whole), child] as const] : []), ...some];
}

/** A list for each identity, named by its plural unless the descriptor names it. */
function ofIdentities(child: string, of: Node): readonly (readonly [string, string])[] {
  const byIdentity = Array.isArray(of.identities) ? {} : node(of.identities);
  return (identitiesOf(of) ?? []).map((identity) => {
    const { list = pluralOf(identity.toLowerCase()) } = node(byIdentity[identity]);
    return [String(list), `${child} identity=${identity}`] as const;
  });
}
