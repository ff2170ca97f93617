// The API names that the fields of a resource produce: `top` produces top_id, has_proofed_top and top.
import type { RawField, RawResource } from '../language/language.js';
import type { Pointer } from '../load/load.js';
import { FIXED_PROPERTIES, TYPE_PROPERTY } from '../model/fixed.js';
import { columnsOf, kindOf, shortOf } from '../model/kinds/kinds.js';

export interface Claim {
  readonly name: string;
  /** A parameter and a property of one field may share a name; two fields may not. */
  readonly role: 'parameter' | 'property';
  /** The field, or another key of the resource, that produces the name. */
  readonly owner: string;
  readonly pointer: Pointer;
}

/** Names that every resource has, and what they are for. */
export const RESERVED: ReadonlyMap<string, string> = new Map([
  ['id', 'every record has one'],
  ['object_type', 'it is the type constant'],
  ['date_created', 'every record has one'],
  ['date_updated', 'every record has one'],
  ['session_id', 'it holds the session id'],
  ['constructor', 'every JavaScript object has one'],
  // SQLite renames a column of an inner query that has such a name, even if the name is quoted.
  ['true', 'SQL reads it as a value'],
  ['false', 'SQL reads it as a value'],
]);

/** Suffixes of types generated for every resource: an action of such a name would produce a second `<Resource>Create`. */
export const TYPES: ReadonlySet<string> = new Set(['record', 'row', 'create', 'update', 'brief', 'constructor']);

/** Identifiers that the generated index cannot use for a resource; `generated` is its own export. */
export const NO_IDENTIFIERS: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export exports extends ' +
    'false finally for function generated if implements import in instanceof interface let new null package private ' +
    'protected public require return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** Resources built into the service, without a descriptor. */
export const OWN_RESOURCES: ReadonlySet<string> = new Set(['session', 'status']);

/** Every name the resource produces, in the order of its keys. */
export function claimedNames(resource: RawResource): readonly Claim[] {
  const known = cache.get(resource);
  if (known !== undefined) return known;
  const all = claimsOf(resource);
  cache.set(resource, all);
  return all;
}

/** Cached, because several rules ask for them and a resource never changes. */
const cache = new WeakMap<RawResource, readonly Claim[]>();

function claimsOf(resource: RawResource): readonly Claim[] {
  const fields = [...resource.fields].flatMap(([name, field]) => ofField(name, field));
  const type: Claim[] =
    resource.type_field === undefined || resource.type_field === TYPE_PROPERTY
      ? []
      : [{ name: resource.type_field, role: 'property', owner: 'type_field', pointer: ['type_field'] }];
  return [...type, ...fields];
}

function ofField(name: string, field: RawField): Claim[] {
  if (shortOf(field) !== null) return claimBoth(name, 'identities', ['identities']);
  const pointer = ['fields', name];
  const shownAs = (field.shown_as ?? []).map((as, index) => property(as, name, [...pointer, 'shown_as', index]));
  const related = columnsOf(name, field).includes(name) ? [] : [property(name, name, pointer)];
  const kind = kindOf(field);
  const further = kind.furtherParameters(name, field).map((one) => parameter(one.name, name, pointer));
  const accepted = (field.synonyms ?? []).flatMap((synonym, index) =>
    kind.accepted(synonym, field).map((accepted) => parameter(accepted, name, [...pointer, 'synonyms', index])),
  );
  return [
    ...related,
    ...columnsOf(name, field).flatMap((column) => claimBoth(column, name, pointer)),
    ...further,
    ...accepted,
    ...shownAs,
  ];
}

const property = (name: string, owner: string, pointer: Pointer): Claim => ({ name, role: 'property', owner, pointer });
const parameter = (name: string, owner: string, pointer: Pointer): Claim => ({
  name,
  role: 'parameter',
  owner,
  pointer,
});
const claimBoth = (name: string, owner: string, pointer: Pointer): Claim[] => [
  parameter(name, owner, pointer),
  property(name, owner, pointer),
];

/** Names of everything that a record of the resource can show. */
export function properties(resource: RawResource): Set<string> {
  const shown = claimedNames(resource).filter(({ role }) => role === 'property');
  return new Set([...FIXED_PROPERTIES, ...shown.map(({ name }) => name)]);
}
