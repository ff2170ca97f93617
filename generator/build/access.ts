// Access rights of a resource: the words of the descriptor resolved to clauses over columns.

import type { Access, Clause } from '../../runtime/contract/definition.js';
import type { RawClause, RawMember, RawResource, RawSpec, RawTargetRight } from '../language/language.js';
import { kindOf } from '../model/kinds/kinds.js';
import { lookup } from '../model/kinds/lookup.js';
import { storedWhere } from '../model/kinds/reference.js';

interface ResourceContext {
  readonly spec: RawSpec;
  readonly resource: RawResource;
}

/** @returns the rights of the resource at `place`; by default anybody may read and only administrators may edit */
export function buildAccess(place: ResourceContext): Access {
  const { rights, hidden } = place.resource.access;
  const named = [...rights].filter(([name]) => name !== 'read' && name !== 'edit');
  const clauses = (words: readonly RawClause[]): readonly Clause[] => words.map((word) => clause(word, place));
  return {
    read: clauses(rights.get('read') ?? ['anyone']),
    edit: clauses(rights.get('edit') ?? []),
    rights: Object.fromEntries(named.map(([name, words]) => [name, clauses(words)])),
    hidden: hidden === true,
  };
}

function clause(word: RawClause, place: ResourceContext): Clause {
  if (typeof word !== 'string') return 'member' in word ? membership(word, place) : targetRight(word, place);
  if (word === 'anyone') return { anyone: true };
  if (word === 'self') return { self: true };
  if (word === 'editor') return { right: 'edit' };
  const field = place.resource.fields.get(word);
  if (field === undefined) return { right: word };
  const { to = '' } = field;
  if (kindOf(field).grants === 'when_true') return { when: word };
  return isPrincipal(to, place) ? { user: `${word}_id` } : { through: `${word}_id`, to };
}

function targetRight({ right, of }: RawTargetRight, { resource }: ResourceContext): Clause {
  const { to = '' } = resource.fields.get(of) ?? {};
  return { through: `${of}_id`, to, ...(right === 'edit' ? {} : { right }) };
}

function membership(word: RawMember, place: ResourceContext): Clause {
  const member = lookup(place.spec).byName.get(word.member);
  const user = [...(member?.fields ?? [])].find(([, { to }]) => to !== undefined && isPrincipal(to, place));
  if (!member || !user) throw new Error(`membership through ${word.member} passed the checks without a user`);
  const where = storedWhere(word.where ?? {}, member, kindOf);
  return {
    member: word.member,
    by: `${word.by}_id`,
    ...(place.resource.fields.has(word.by) ? {} : { own: true as const }),
    user: `${user[0]}_id`,
    ...(word.in === undefined ? {} : { in: word.in }),
    ...(Object.keys(where).length === 0 ? {} : { where }),
  };
}

function isPrincipal(name: string, place: ResourceContext): boolean {
  return lookup(place.spec).byName.get(name)?.principal === true;
}
