// What a change of a parameter means for who sends it: a table of rules over both sides. Less accepted is breaking.

import type { Reference } from '../../runtime/definition.js';
import type { Model, Parameter, Resource } from '../model/model.js';
import { defaultOrigin } from './origins.js';
import type { Found } from './report.js';
import { schemaChanges, shown } from './schema-changes.js';
import { columnOf, comparable } from './sides.js';

export interface Sent {
  readonly parameter: Parameter;
  /** Null: the parameter of an action, which is not stored. */
  readonly resource: Resource | null;
  readonly model: Model;
}

type ParameterRule = (from: Sent, to: Sent) => readonly Found[];

/** By the name under which a finding is told. */
export const PARAMETER_RULES: Readonly<Record<string, ParameterRule>> = {
  parameter_required: (from, to) =>
    flipped(from.parameter.requiredOnCreate, to.parameter.requiredOnCreate, ['is required', 'is optional']),
  parameter_required_on_update: (from, to) =>
    flipped(
      from.parameter.requiredOnUpdate && from.parameter.requiredOnCreate,
      to.parameter.requiredOnUpdate && to.parameter.requiredOnCreate,
      ['is required on update', 'is optional on update'],
    ),
  parameter_limit: (from, to) =>
    schemaChanges(schemaOf(from), schemaOf(to)).map(({ at, says, breaks, ...values }) => ({
      breaking: breaks.request,
      says: at === '' ? says : `${at}: ${says}`,
      from: [at, values.keyword, values.from],
      to: values.to,
    })),
  parameter_default: (from, to) => defaults(from, to),
  parameter_set: (from, to) =>
    flipped(from.parameter.set === 'admin', to.parameter.set === 'admin', [
      'is for administrators only',
      'is for all editors',
    ]),
  parameter_synonyms: (from, to) => [
    ...from.parameter.synonyms
      .filter((name) => !to.parameter.synonyms.includes(name) && name !== to.parameter.name)
      .map((name) => found(true, `is no longer accepted as ${name}`, name, null)),
    ...to.parameter.synonyms
      .filter((name) => !from.parameter.synonyms.includes(name))
      .map((name) => found(false, `is also accepted as ${name}`, null, name)),
  ],
  reference_need: (from, to) =>
    compared(from, to, (old, now) => {
      const more = NEEDS.indexOf(now.need) > NEEDS.indexOf(old.need);
      return old.need === now.need
        ? []
        : [found(more, `needs ${now.need} on its target, not ${old.need}`, old.need, now.need)];
    }),
  reference_target: (from, to) =>
    compared(from, to, (old, now) =>
      old.to === now.to ? [] : [found(true, `refers to ${now.to}, not to ${old.to}`, old.to, now.to)],
    ),
  reference_inside: (from, to) =>
    compared(from, to, (old, now) =>
      flipped(old.inside === true || old.place === true, now.inside === true || now.place === true, [
        'must have the same owner as the record',
        'may have another owner',
      ]),
    ),
  reference_types: (from, to) => compared(from, to, (old, now) => mediaTypes(old.accepts, now.accepts)),
};

const NEEDS: readonly Reference['need'][] = ['exists', 'use', 'edit'];

export function found(breaking: boolean, says: string, from: unknown, to: unknown): Found {
  return { breaking, says, from, to };
}

/** A condition that appears is breaking, one that goes is not. */
export function flipped(from: boolean, to: boolean, [on, off]: readonly [string, string]): readonly Found[] {
  return from === to ? [] : [found(to, to ? on : off, from, to)];
}

function schemaOf({ parameter, resource }: Sent): Parameter['schema'] {
  return comparable(parameter.schema, resource === null ? undefined : columnOf(resource, parameter.name));
}

/**
 * A caller who sends nothing meant the default of the day: another one makes the same request store something else
 * (oasdiff: request-property-default-value-changed). Where there was none, a value in place of null is an addition.
 */
function defaults(from: Sent, to: Sent): readonly Found[] {
  if (from.parameter.requiredOnCreate || to.parameter.requiredOnCreate || from.resource === null) return [];
  const [old, now] = [defaultOf(from), defaultOf(to)];
  if (old.key === now.key) return [];
  return [found(old.value !== null, `default ${shown(old.value)} -> ${shown(now.value)}`, old.value, now.value)];
}

function defaultOf({ parameter, resource, model }: Sent): { readonly key: string; readonly value: unknown } {
  const origin = resource === null ? null : defaultOrigin(parameter.name, { resource, model });
  if (origin !== null) return { key: `of ${origin.key}`, value: origin.says };
  const value = parameter.schema.default ?? parameter.unset;
  return { key: JSON.stringify(value), value };
}

function mediaTypes(from: readonly string[] = [], to: readonly string[] = []): readonly Found[] {
  // Without a list every file is taken.
  const lost = to.length > 0 && (from.length === 0 || from.some((type) => !to.includes(type)));
  const gained = from.length > 0 && (to.length === 0 || to.some((type) => !from.includes(type)));
  return lost || gained ? [found(lost, `media types ${shown(from)} -> ${shown(to)}`, from, to)] : [];
}

function compared(from: Sent, to: Sent, rule: (old: Reference, now: Reference) => readonly Found[]): readonly Found[] {
  const [old, now] = [referenceOf(from), referenceOf(to)];
  return old === undefined || now === undefined ? [] : rule(old, now);
}

function referenceOf({ parameter, resource }: Sent): Reference | undefined {
  return resource?.references.find(({ column }) => column === parameter.name);
}
