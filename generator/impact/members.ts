// Applies the rules to parameters and properties that exist on both sides; those on one side are reported as gone or new.

import type { Model, Parameter, Property, Resource } from '../model/model.js';
import { deprecationStatus } from './deprecation-status.js';
import { PARAMETER_RULES, type Sent } from './parameter-rules.js';
import { PROPERTY_RULES, visible } from './property-rules.js';
import type { Draft, Found } from './report.js';
import { columnOf, type Side, type Sides } from './sides.js';

export interface Taken {
  readonly model: Model;
  readonly resource: Resource;
  readonly parameters: readonly Parameter[];
  readonly action?: string;
}

/** @param at the operations that take them, and what stands before their names in a place */
export function parameterDrafts(from: Taken, to: Taken, at: Where): readonly Draft[] {
  if (at.where.length === 0) return [];
  const sent = ({ resource, action, model }: Taken, parameter: Parameter): Sent => ({
    parameter,
    model,
    resource: action === undefined ? resource : null,
  });
  return [
    ...lacking(from.parameters, to.parameters).map((one) => goneParameter(one, { from, to }, at)),
    ...lacking(to.parameters, from.parameters).map((one) => newParameter(one, from, at)),
    ...to.parameters.flatMap((parameter) => {
      const before = from.parameters.find(({ name }) => name === parameter.name);
      if (before === undefined) return [];
      return applied(PARAMETER_RULES, (rule) => rule(sent(from, before), sent(to, parameter)), {
        place: `${at.place} ${parameter.name}`,
        where: at.where,
        subject: `parameter ${parameter.name}: `,
      });
    }),
  ];
}

function lacking<T extends { readonly name: string }>(own: readonly T[], others: readonly T[]): readonly T[] {
  return own.filter(({ name }) => !others.some((other) => other.name === name));
}

function namesOf({ parameters }: Taken): readonly string[] {
  return parameters.flatMap(({ name, synonyms }) => [name, ...synonyms]);
}

type Where = Pick<At, 'where' | 'place'>;

/** What was sent under the name still arrives where it is a synonym now. */
function goneParameter({ name }: Parameter, { from, to }: { from: Taken; to: Taken }, at: Where): Draft {
  const taken = namesOf(to).includes(name);
  const says = taken ? 'is accepted as a synonym' : `is gone${newName(from.resource, to.resource, name)}`;
  return draft({
    rule: 'parameter_removed',
    breaking: !taken,
    place: `${at.place} ${name}`,
    where: at.where,
    says: `parameter ${name} ${says}`,
    from: name,
    to: null,
    deprecation: deprecationStatus(from.resource, from.action === undefined ? name : `${from.action}.${name}`),
  });
}

/** What was ignored in silence is sent by somebody, and now it has to be right. */
function newParameter({ name, synonyms, requiredOnCreate }: Parameter, from: Taken, at: Where): Draft {
  const names = [name, ...synonyms];
  const known = names.some((one) => namesOf(from).includes(one));
  const ignored = from.action === undefined && names.some((one) => from.resource.ignored.includes(one));
  return draft({
    rule: 'parameter_added',
    breaking: (requiredOnCreate && !known) || ignored,
    place: `${at.place} ${name}`,
    where: at.where,
    says: `parameter ${name} is new${requiredOnCreate ? ' and required' : ''}${ignored ? ', previously it was ignored' : ''}`,
    from: null,
    to: requiredOnCreate,
  });
}

/** `, tallness now`, where a column kept its contents under another name. */
function newName(from: Resource, to: Resource, name: string): string {
  const number = columnOf(from, name)?.number;
  const now = to.columns.find((column) => column.number === number)?.name;
  return number === undefined || now === undefined || now === name ? '' : `, now called ${now}`;
}

export interface ReadAt {
  readonly part: 'api' | 'webhooks';
  readonly where: readonly string[];
  readonly place: string;
}

/** What readers of the record meet, in answers or in the payloads of web hooks. */
export function propertyDrafts(
  { from, to }: Pick<Sides, 'from' | 'to'>,
  { part, where, place }: ReadAt,
): readonly Draft[] {
  if (where.length === 0) return [];
  const [old, now] = [visible(from.resource), visible(to.resource)];
  const at = (name: string) => ({ part, where, place: `${place} ${name}` });
  return [
    ...lacking(old, now).map(({ name }) =>
      draft({
        ...at(name),
        rule: 'property_removed',
        breaking: true,
        says: `property ${name} is gone${newName(from.resource, to.resource, name)}`,
        from: name,
        to: null,
        deprecation: deprecationStatus(from.resource, name),
      }),
    ),
    ...lacking(now, old).map(({ name }) =>
      draft({
        ...at(name),
        rule: 'property_added',
        breaking: false,
        says: `property ${name} is new`,
        from: null,
        to: name,
      }),
    ),
    ...now.flatMap((property) => {
      const before = old.find(({ name }) => name === property.name);
      if (before === undefined) return [];
      const shown = (one: Property, { resource, model }: Side) => ({ property: one, resource, model });
      return applied(PROPERTY_RULES, (rule) => rule(shown(before, from), shown(property, to)), {
        ...at(property.name),
        subject: `property ${property.name}: `,
      });
    }),
  ];
}

interface At {
  readonly part?: 'api' | 'webhooks';
  readonly place: string;
  readonly where: readonly string[];
  readonly subject: string;
}

/** Every rule of a table over two sides. */
export function applied<R>(
  rules: Readonly<Record<string, R>>,
  run: (rule: R) => readonly Found[],
  at: At,
): readonly Draft[] {
  const { subject, ...rest } = at;
  return Object.entries(rules).flatMap(([name, rule]) =>
    run(rule).map((one) => draft({ ...rest, ...one, rule: name, says: `${subject}${one.says}` })),
  );
}

/** A finding of the API unless said otherwise. */
export function draft(one: Omit<Draft, 'part' | 'class'> & { readonly part?: Draft['part'] }): Draft {
  return { part: 'api', class: one.breaking ? 'breaking' : 'safe', ...one };
}
