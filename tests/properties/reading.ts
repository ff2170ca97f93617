// How the tests read a descriptor: the parameters, properties and lists that its keys promise (spec/README.md). It shares no
// code with the generator, so that the two can disagree.
import type { FieldConditions } from '../../generator/language/language.js';
import type { Operation } from '../../runtime/contract/definition.js';
import type { Facts, FieldFacts } from './facts.js';
import { isLiteral } from './values.js';

export interface Parameter {
  readonly name: string;
  readonly field: string;
  readonly facts: FieldFacts;
  /** `proof`: whether somebody has checked the image of the field. */
  readonly role: 'value' | 'reference' | 'upload' | 'proof';
  readonly required: boolean;
  readonly synonyms: readonly string[];
}

export interface Property {
  readonly name: string;
  readonly field: string;
  readonly facts: FieldFacts;
  readonly role: 'value' | 'id' | 'proof' | 'brief';
  /** `anyone`, `editor`, `created`, `nobody` or a named right. */
  readonly view: string;
}

export interface ListFacts {
  readonly parent: string;
  readonly name: string;
  /** The reference that ties the items to the parent. */
  readonly by: string;
  readonly where: FieldConditions;
}

/** The fields, and `identity` where there are identities. */
export function fieldsOf(facts: Facts): Readonly<Record<string, FieldFacts>> {
  const { identities, attributes = {}, default_identity, fields } = facts;
  if (identities === undefined) return fields;
  const identity: FieldFacts = {
    kind: 'enum',
    values: identities,
    attributes,
    default: default_identity ?? identities[0],
    filter: true,
  };
  return { identity, ...fields };
}

/** What a caller may send to create or update. */
export function parametersOf(facts: Facts): readonly Parameter[] {
  return parametersIn(fieldsOf(facts));
}

/** The parameters for the fields of an action. */
export function parametersIn(fields: Readonly<Record<string, FieldFacts>>): readonly Parameter[] {
  return Object.entries(fields).flatMap(([field, facts]) => {
    if (facts.kind === 'computed' || facts.kind === 'token' || facts.read_only || facts.from !== undefined) return [];
    const { required = false, synonyms = [] } = facts;
    const parameter = (name: string, role: Parameter['role']): Parameter => {
      const ending = role === 'proof' ? 'has_proofed_' : '';
      const other = (synonym: string) => (isUpload(facts) ? named(`${ending}${synonym}`, role) : synonym);
      return { name, field, facts, role, required: required && role !== 'proof', synonyms: synonyms.map(other) };
    };
    if (facts.kind === 'reference') return [parameter(`${field}_id`, 'reference')];
    if (!isUpload(facts)) return [parameter(field, 'value')];
    return [
      parameter(`${field}_id`, 'upload'),
      ...(hasProof(facts) ? [parameter(`has_proofed_${field}`, 'proof')] : []),
    ];
  });
}

/** What a record shows besides `id`, the type and the two dates. */
export function propertiesOf(facts: Facts): readonly Property[] {
  return Object.entries(fieldsOf(facts)).flatMap(([field, words]) => {
    if (words.kind === 'password') return [];
    const view = words.kind === 'token' ? 'created' : (words.view ?? (isUpload(words) ? 'editor' : 'anyone'));
    const property = (name: string, role: Property['role']): Property => ({ name, field, facts: words, role, view });
    const also = words.shown_as ?? [];
    if (words.kind === 'reference') {
      const brief = words.describe ? [property(field, 'brief')] : [];
      return [...[`${field}_id`, ...also].map((name) => property(name, 'id')), ...brief];
    }
    if (!isUpload(words)) return [field, ...also].map((name) => property(name, 'value'));
    const proof = hasProof(words) ? [property(`has_proofed_${field}`, 'proof')] : [];
    return [property(`${field}_id`, 'id'), ...proof, ...[field, ...also].map((name) => property(name, 'brief'))];
  });
}

/** The properties that show the type of the record, with their values. */
export function typeOf({ resource, type_name, type_field }: Facts): Readonly<Record<string, string>> {
  const constant = type_name ?? resource;
  return { object_type: constant, ...(type_field === undefined ? {} : { [type_field]: constant }) };
}

/** The column or parameter of a field. */
export function columnOf(facts: Facts, field: string): string {
  const words = fieldsOf(facts)[field];
  return words !== undefined && (words.kind === 'reference' || isUpload(words)) ? `${field}_id` : field;
}

/** The lists that the references of a resource add to their targets. */
export function listsOf(facts: Facts): readonly ListFacts[] {
  const { plural, fields } = facts;
  return Object.entries(fields).flatMap(([by, { to = '', list, lists = {}, list_each }]) => {
    const plainList = list === true ? plural : list;
    const all = new Map<string, FieldConditions>([
      ...eachOf(facts, list_each),
      ...Object.entries(lists).flatMap(([name, { where = {}, through }]) =>
        through === undefined ? [[name, where] as const] : [],
      ),
      ...(plainList ? [[plainList, {}] as const] : []),
    ]);
    return [...all].map(([name, where]) => ({ parent: to, name, by, where }));
  });
}

/** What a computed field aggregates: the records of a list, or the values of one of their fields. */
export interface Aggregate {
  readonly key: 'count' | 'sum' | 'latest';
  readonly list: string;
  /** Null for a count. */
  readonly field: string | null;
}

/** Null: the field does not aggregate anything. */
export function aggregateOf({ count, sum, latest }: FieldFacts): Aggregate | null {
  if (count !== undefined) return { key: 'count', list: count, field: null };
  const [list = '', field = ''] = (sum ?? latest ?? '').split('.');
  return list === '' ? null : { key: sum === undefined ? 'latest' : 'sum', list, field };
}

/** The lists of the records that a reference of the target refers to. */
export function onwardListsOf({
  fields,
}: Facts): readonly (Omit<ListFacts, 'parent'> & { readonly through: string })[] {
  return Object.entries(fields).flatMap(([by, { lists = {} }]) =>
    Object.entries(lists).flatMap(([name, { where = {}, through }]) =>
      through === undefined ? [] : [{ name, by, where, through }],
    ),
  );
}

/** A list for each value of a field. The list of all records is the list of an only value, if both have one name. */
function eachOf(facts: Facts, field: string | undefined): readonly (readonly [string, FieldConditions])[] {
  if (field === undefined) return [];
  const { values = [], attributes = {} } = fieldsOf(facts)[field] ?? {};
  return values.flatMap((value) => {
    const name = String(value).toLowerCase();
    const { list = `${name}${/([sxz]|[cs]h)$/.test(name) ? 'es' : 's'}` } = attributes[value] ?? {};
    return list === false ? [] : [[list, { [field]: value }] as const];
  });
}

/** Who may start an operation; null: it is not offered. */
export function policyOf({ operations }: Facts, operation: Operation): 'anyone' | 'session' | 'admin' | null {
  const policy = operations?.[operation] ?? true;
  if (policy === false) return null;
  if (policy === true || typeof policy === 'object') return operation === 'fetch' ? 'anyone' : 'session';
  return policy;
}

/** Whether an update requires every parameter. */
export function wantsAll({ operations }: Facts): boolean {
  const policy = operations?.update;
  return typeof policy === 'object' && 'required' in policy;
}

/** Whether an update requires the tag of the record (D57). */
export function wantsTag({ operations }: Pick<Facts, 'operations'>): boolean {
  const policy = operations?.update;
  return typeof policy === 'object' && 'match' in policy;
}

/**
 * Whether an update has to send the parameter. Parameters that only administrators may send are never required, and those with
 * a default are optional everywhere.
 */
export function isWanted(facts: Facts, { facts: field, role }: Parameter): boolean {
  const hasDefault = role === 'proof' || (role === 'value' && field.default !== undefined && isLiteral(field));
  return wantsAll(facts) && field.set !== 'admin' && !hasDefault;
}

/** Whether a record may have no value: the parameter is optional and has no default. */
export function isNullable({ required, role, facts: { kind, default: defaultValue } }: Parameter): boolean {
  return !required && role !== 'proof' && kind !== 'boolean' && defaultValue === undefined;
}

export function isUpload({ kind }: FieldFacts): boolean {
  return kind === 'image' || kind === 'file';
}

export function hasProof({ kind, proof }: FieldFacts): boolean {
  return kind === 'image' && proof !== false;
}

function named(name: string, role: Parameter['role']): string {
  return role === 'proof' ? name : `${name}_id`;
}
