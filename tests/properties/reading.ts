// How the engine reads a descriptor: parameters, properties and lists that its words promise (spec/README.md). Written
// beside the generator and not with it, so that the two can disagree.
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

/** The same of the fields of an action. */
export function parametersIn(fields: Readonly<Record<string, FieldFacts>>): readonly Parameter[] {
  return Object.entries(fields).flatMap(([field, facts]) => {
    if (facts.kind === 'computed' || facts.kind === 'token' || facts.read_only || facts.from !== undefined) return [];
    const { required = false, synonyms = [] } = facts;
    const of = (name: string, role: Parameter['role']): Parameter => {
      const ending = role === 'proof' ? 'has_proofed_' : '';
      const other = (synonym: string) => (isUpload(facts) ? named(`${ending}${synonym}`, role) : synonym);
      return { name, field, facts, role, required: required && role !== 'proof', synonyms: synonyms.map(other) };
    };
    if (facts.kind === 'reference') return [of(`${field}_id`, 'reference')];
    if (!isUpload(facts)) return [of(field, 'value')];
    return [of(`${field}_id`, 'upload'), ...(hasProof(facts) ? [of(`has_proofed_${field}`, 'proof')] : [])];
  });
}

/** What a record shows, beside `id`, the type and the two dates. */
export function propertiesOf(facts: Facts): readonly Property[] {
  return Object.entries(fieldsOf(facts)).flatMap(([field, one]) => {
    if (one.kind === 'password') return [];
    const view = one.kind === 'token' ? 'created' : (one.view ?? (isUpload(one) ? 'editor' : 'anyone'));
    const of = (name: string, role: Property['role']): Property => ({ name, field, facts: one, role, view });
    const also = one.shown_as ?? [];
    if (one.kind === 'reference') {
      const brief = one.describe ? [of(field, 'brief')] : [];
      return [...[`${field}_id`, ...also].map((name) => of(name, 'id')), ...brief];
    }
    if (!isUpload(one)) return [field, ...also].map((name) => of(name, 'value'));
    const proof = hasProof(one) ? [of(`has_proofed_${field}`, 'proof')] : [];
    return [of(`${field}_id`, 'id'), ...proof, ...[field, ...also].map((name) => of(name, 'brief'))];
  });
}

/** Properties under which the type of the record is told, and what they say. */
export function typeOf({ resource, type_name, type_field }: Facts): Readonly<Record<string, string>> {
  const constant = type_name ?? resource;
  return { object_type: constant, ...(type_field === undefined ? {} : { [type_field]: constant }) };
}

/** The column or parameter of a field. */
export function columnOf(facts: Facts, field: string): string {
  const one = fieldsOf(facts)[field];
  return one !== undefined && (one.kind === 'reference' || isUpload(one)) ? `${field}_id` : field;
}

/** The lists that the references of a resource hang on its targets. */
export function listsOf(facts: Facts): readonly ListFacts[] {
  const { plural, fields } = facts;
  return Object.entries(fields).flatMap(([by, { to = '', list, lists = {}, list_each }]) => {
    const own = list === true ? plural : list;
    const all = new Map<string, FieldConditions>([
      ...eachOf(facts, list_each),
      ...Object.entries(lists).flatMap(([name, { where = {}, through }]) =>
        through === undefined ? [[name, where] as const] : [],
      ),
      ...(own ? [[own, {}] as const] : []),
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

/** The lists on what a reference of the target refers to. */
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
  const said = operations?.[operation] ?? true;
  if (said === false) return null;
  if (said === true || typeof said === 'object') return operation === 'fetch' ? 'anyone' : 'session';
  return said;
}

/** Whether an update wants every parameter again. */
export function wantsAll({ operations }: Facts): boolean {
  const said = operations?.update;
  return typeof said === 'object' && 'required' in said;
}

/** Whether an update wants the tag of the record (D57). */
export function wantsTag({ operations }: Pick<Facts, 'operations'>): boolean {
  const said = operations?.update;
  return typeof said === 'object' && 'match' in said;
}

/**
 * Whether an update has to send the parameter: what only administrators may send is theirs alone to change, and what has a default
 * is optional everywhere.
 */
export function isWanted(facts: Facts, { facts: field, role }: Parameter): boolean {
  const hasDefault = role === 'proof' || (role === 'value' && field.default !== undefined && isLiteral(field));
  return wantsAll(facts) && field.set !== 'admin' && !hasDefault;
}

/** Whether a record may hold nothing there: what is not required and has nothing to go back to. */
export function isNullable({ required, role, facts: { kind, default: said } }: Parameter): boolean {
  return !required && role !== 'proof' && kind !== 'boolean' && said === undefined;
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
