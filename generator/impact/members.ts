// Applies the rules to parameters and properties that exist on both sides. Reports the others as gone or new, and as replaced a
// name that now denotes another column, which only the numbers of the ledger show.

import type { Model, Parameter, Property, Resource } from '../model/model.js';
import { keepNameAdvice, makeOptional } from './advice.js';
import { deprecationStatus } from './notes.js';
import { PARAMETER_RULES, type ParameterContext } from './parameter-rules.js';
import { PROPERTY_RULES, visible } from './property-rules.js';
import type { Difference, Draft } from './report.js';
import { columnOf, type ResourceSide, type Sides } from './sides.js';

export interface ParameterSet {
  readonly model: Model;
  readonly resource: Resource;
  readonly parameters: readonly Parameter[];
  readonly action?: string;
}

/** @param at the operations that accept them, and the prefix of their names in a place */
export function parameterDrafts(from: ParameterSet, to: ParameterSet, at: Location): readonly Draft[] {
  if (at.where.length === 0) return [];
  const contextOf = ({ resource, action, model }: ParameterSet, parameter: Parameter): ParameterContext => ({
    parameter,
    model,
    resource: action === undefined ? resource : null,
  });
  return [
    ...onlyIn(from.parameters, to.parameters).map((one) => removedParameter(one, { from, to }, at)),
    ...onlyIn(to.parameters, from.parameters).map((one) => addedParameter(one, { from, to }, at)),
    ...to.parameters.flatMap((parameter) => {
      const before = from.parameters.find(({ name }) => name === parameter.name);
      if (before === undefined) return [];
      return applyRules(PARAMETER_RULES, (rule) => rule(contextOf(from, before), contextOf(to, parameter)), {
        place: `${at.place} ${parameter.name}`,
        where: at.where,
        subject: `parameter ${parameter.name}: `,
      });
    }),
  ];
}

function onlyIn<T extends { readonly name: string }>(members: readonly T[], others: readonly T[]): readonly T[] {
  return members.filter(({ name }) => !others.some((other) => other.name === name));
}

function namesOf({ parameters }: ParameterSet): readonly string[] {
  return parameters.flatMap(({ name, synonyms }) => [name, ...synonyms]);
}

type Location = Pick<RuleLocation, 'where' | 'place'>;

/** A name that is now a synonym still works. */
function removedParameter(
  { name }: Parameter,
  { from, to }: { from: ParameterSet; to: ParameterSet },
  at: Location,
): Draft {
  const isSynonym = namesOf(to).includes(name);
  const message = isSynonym ? 'is accepted as a synonym' : `is gone${newName(from.resource, to.resource, name)}`;
  return draft({
    rule: 'parameter_removed',
    breaking: !isSynonym,
    place: `${at.place} ${name}`,
    where: at.where,
    message: `parameter ${name} ${message}`,
    from: name,
    to: null,
    deprecation: deprecationStatus(from.resource, from.action === undefined ? name : `${from.action}.${name}`),
    advice: from.action === undefined ? keepNameAdvice('synonyms', name, from.resource, to.resource) : null,
  });
}

/** Some callers send a parameter that was silently ignored so far, and from now on it must be valid. */
function addedParameter(
  { name, synonyms, requiredOnCreate }: Parameter,
  { from, to }: { from: ParameterSet; to: ParameterSet },
  at: Location,
): Draft {
  const names = [name, ...synonyms];
  const wasSynonym = names.some((one) => namesOf(from).includes(one));
  const ignored = from.action === undefined && names.some((one) => from.resource.ignored.includes(one));
  return draft({
    rule: 'parameter_added',
    breaking: (requiredOnCreate && !wasSynonym) || ignored,
    place: `${at.place} ${name}`,
    where: at.where,
    message: `parameter ${name} is new${requiredOnCreate ? ' and required' : ''}${ignored ? ', previously it was ignored' : ''}`,
    from: null,
    to: requiredOnCreate,
    advice: requiredOnCreate && from.action === undefined ? makeOptional(name, to.resource) : null,
  });
}

/** `, now called tallness` if a column kept its contents under another name. */
function newName(from: Resource, to: Resource, name: string): string {
  const number = columnOf(from, name)?.number;
  const now = to.columns.find((column) => column.number === number)?.name;
  return number === undefined || now === undefined || now === name ? '' : `, now called ${now}`;
}

export interface ReadLocation {
  readonly part: 'api' | 'webhooks';
  readonly where: readonly string[];
  readonly place: string;
}

/** What changes for readers of the record, in responses or in the payloads of web hooks. */
export function propertyDrafts(
  { from, to }: Pick<Sides, 'from' | 'to'>,
  { part, where, place }: ReadLocation,
): readonly Draft[] {
  if (where.length === 0) return [];
  const [old, now] = [visible(from.resource), visible(to.resource)];
  const at = (name: string) => ({ part, where, place: `${place} ${name}` });
  return [
    ...onlyIn(old, now).map(({ name }) =>
      draft({
        ...at(name),
        rule: 'property_removed',
        breaking: true,
        message: `property ${name} is gone${newName(from.resource, to.resource, name)}`,
        from: name,
        to: null,
        deprecation: deprecationStatus(from.resource, name),
        advice: keepNameAdvice('shown_as', name, from.resource, to.resource),
      }),
    ),
    ...onlyIn(now, old).map(({ name }) =>
      draft({
        ...at(name),
        rule: 'property_added',
        breaking: false,
        message: `property ${name} is new`,
        from: null,
        to: name,
      }),
    ),
    ...now.flatMap((property) => {
      const before = old.find(({ name }) => name === property.name);
      if (before === undefined) return [];
      const contextOf = (one: Property, { resource, model }: ResourceSide) => ({ property: one, resource, model });
      return applyRules(PROPERTY_RULES, (rule) => rule(contextOf(before, from), contextOf(property, to)), {
        ...at(property.name),
        subject: `property ${property.name}: `,
      });
    }),
  ];
}

interface RuleLocation {
  readonly part?: 'api' | 'webhooks';
  readonly place: string;
  readonly where: readonly string[];
  readonly subject: string;
}

/** Runs every rule of a table over the two sides. */
export function applyRules<R>(
  rules: Readonly<Record<string, R>>,
  run: (rule: R) => readonly Difference[],
  at: RuleLocation,
): readonly Draft[] {
  const { subject, ...rest } = at;
  return Object.entries(rules).flatMap(([name, rule]) =>
    run(rule).map((one) => draft({ ...rest, ...one, rule: name, message: `${subject}${one.message}` })),
  );
}

/** A finding about the API unless `part` says otherwise. */
export function draft({ exposing = false, ...one }: Omit<Draft, 'part' | 'class'> & Partial<Options>): Draft {
  if (exposing && !one.breaking) return { part: 'api', class: 'exposing', ...one, breaking: true };
  return { part: 'api', class: one.breaking ? 'breaking' : 'safe', ...one };
}

interface Options {
  readonly part: Draft['part'];
  readonly exposing: boolean;
}

/** @param at where callers or receivers see the two resources, which have the same name */
export function replaced({ from, to }: Pick<Sides, 'from' | 'to'>, at: ReadLocation): readonly Draft[] {
  const replacement = (place: string, noun: string, from: string, to: string | undefined): Draft => {
    const message = `${from} is another ${noun} under the name of the old one${to === undefined ? '' : `, which is now called ${to}`}`;
    return draft({
      ...at,
      rule: 'replaced',
      breaking: true,
      place,
      where: [...new Set(at.where)],
      message,
      from,
      to: to ?? null,
    });
  };
  const { name } = to.resource;
  if (from.resource.number !== to.resource.number) {
    const now = to.model.resources.find((one) => one.number === from.resource.number)?.name;
    return [replacement(at.place, 'resource', name, now)];
  }
  const names = visible(to.resource).map((one) => one.name);
  const shown = new Set(at.part === 'api' ? [...names, ...to.resource.parameters.map((one) => one.name)] : names);
  return to.resource.columns.flatMap((column) => {
    const before = columnOf(from.resource, column.name);
    if (before === undefined || before.number === column.number || !shown.has(column.name)) return [];
    const now = to.resource.columns.find(({ number }) => number === before.number)?.name;
    return [replacement(`${at.place} ${column.name}`, 'field', column.name, now)];
  });
}
