// The part of a report on the generated types: members that code which uses them would no longer compile with.
// What breaks here breaks on the wire too and is accepted there; this part says what the compiler will point at.

import type { Model, Resource } from '../model.js';
import { pascalCase } from '../typescript.js';
import { createMember, type Member, recordMember, takenByCreate, updateMember } from '../views/members.js';
import { namedUnions } from '../views/unions.js';
import type { Draft } from './report.js';

interface Type {
  readonly name: string;
  /** Read: code takes values out. Written: code puts values in. */
  readonly use: 'read' | 'written';
  readonly members: readonly Member[];
}

/** @returns what changes in the types that `gen` writes */
export function clientImpact(from: Model, to: Model): readonly Draft[] {
  const [old, now] = [typesOf(from), typesOf(to)];
  return [
    ...[...old.keys()]
      .filter((name) => !now.has(name))
      .map((name) => draft(name, '', { breaking: true, says: 'is gone', from: name, to: null })),
    ...[...now.keys()]
      .filter((name) => !old.has(name))
      .map((name) => draft(name, '', { breaking: false, says: 'is new', from: null, to: name })),
    ...[...now.values()].flatMap((type) => {
      const before = old.get(type.name);
      return before === undefined ? [] : memberDrafts(before, type);
    }),
  ];
}

function draft(type: string, member: string, rest: Pick<Draft, 'breaking' | 'says' | 'from' | 'to'>): Draft {
  const place = member === '' ? type : `${type}.${member}`;
  return {
    part: 'clients',
    rule: member === '' ? 'type' : 'member',
    class: rest.breaking ? 'breaking' : 'safe',
    place,
    where: [place],
    ...rest,
  };
}

function typesOf({ resources }: Model): ReadonlyMap<string, Type> {
  return new Map(resources.flatMap(resourceTypes).map((type) => [type.name, type]));
}

function resourceTypes(resource: Resource): readonly Type[] {
  const pascal = pascalCase(resource.name);
  const plain = (type: string) => type;
  const record = resource.properties.map((one) => recordMember(one, plain));
  const type = (suffix: string, use: Type['use'], members: readonly Member[]): Type => ({
    name: `${pascal}${suffix}`,
    use,
    members,
  });
  return [
    type('Record', 'read', record),
    type(
      'Create',
      'written',
      takenByCreate(resource.parameters).map((one) => createMember(one, plain)),
    ),
    type(
      'Update',
      'written',
      resource.parameters.map((one) => updateMember(one, plain)),
    ),
    ...resource.actions.map(({ name, parameters }) =>
      type(
        pascalCase(name),
        'written',
        parameters.map((one) => createMember(one, plain)),
      ),
    ),
    ...(resource.brief.length === 0
      ? []
      : [
          type(
            'Brief',
            'read',
            record.filter(({ name }) => resource.brief.includes(name)),
          ),
        ]),
    ...namedUnions(resource).all.map(
      ({ name, members }): Type => ({
        name,
        use: 'read',
        members: [{ name: '', optional: '', type: members.join(' | '), comment: '' }],
      }),
    ),
  ];
}

function memberDrafts(from: Type, to: Type): readonly Draft[] {
  const names = new Set([...from.members, ...to.members].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const [old, now] = [from, to].map(({ members }) => members.find((member) => member.name === name));
    const [before, after] = [text(old), text(now)];
    if (before === after) return [];
    return [
      draft(to.name, name, {
        breaking: breaks(to.use, old, now),
        says: `${before} -> ${after}`,
        from: before,
        to: after,
      }),
    ];
  });
}

function text(member: Member | undefined): string {
  return member === undefined ? 'none' : `${member.type}${member.optional === '' ? '' : ' or left out'}`;
}

/** Readers fail on what they did not expect, writers on what is no longer taken, or wanted and not there. */
function breaks(use: Type['use'], from: Member | undefined, to: Member | undefined): boolean {
  if (to === undefined) return true;
  if (from === undefined) return use === 'written' && to.optional === '';
  const [old, now] = [from, to].map(({ type }) => type.split(' | '));
  const [wide, narrow] = use === 'read' ? [old, now] : [now, old];
  const fits = (narrow ?? []).every((one) => (wide ?? []).includes(one) || (wide ?? []).includes(base(one)));
  const stricter =
    use === 'read' ? from.optional === '' && to.optional !== '' : from.optional !== '' && to.optional === '';
  return !fits || stricter;
}

/** The type a literal is one of. */
function base(type: string): string {
  return /^['"]/.test(type) ? 'string' : /^-?\d/.test(type) ? 'number' : type;
}
