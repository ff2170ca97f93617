// Rules for what a change of a parameter means to those who send it: accepting less is breaking.

import type { Reference } from '../../runtime/contract/definition.js';
import { type Names, namesOf } from '../../runtime/schema/choices.js';
import type { Model, Parameter, Resource } from '../model/model.js';
import { defaultOrigin } from './origins.js';
import type { Difference } from './report.js';
import { schemaChanges, valueText } from './schema-changes.js';
import { columnOf, comparable } from './sides.js';

export interface ParameterContext {
  readonly parameter: Parameter;
  /** Null for a parameter of an action, which is not stored. */
  readonly resource: Resource | null;
  readonly model: Model;
}

type ParameterRule = (from: ParameterContext, to: ParameterContext) => readonly Difference[];

/** Keyed by the rule name that a finding reports. */
export const PARAMETER_RULES: Readonly<Record<string, ParameterRule>> = {
  parameter_required: (from, to) =>
    toggleDifferences(from.parameter.requiredOnCreate, to.parameter.requiredOnCreate, ['is required', 'is optional']),
  parameter_required_on_update: (from, to) =>
    toggleDifferences(
      from.parameter.requiredOnUpdate && from.parameter.requiredOnCreate,
      to.parameter.requiredOnUpdate && to.parameter.requiredOnCreate,
      ['is required on update', 'is optional on update'],
    ),
  parameter_limit: (from, to) =>
    schemaChanges(schemaOf(from), schemaOf(to))
      .filter(({ at, keyword }) => !(at === '' && keyword === 'enum' && namesBetween(from, to) !== null))
      .map(({ at, message, breaks, ...values }) => ({
        breaking: breaks.request,
        message: at === '' ? message : `${at}: ${message}`,
        from: [at, values.keyword, values.from],
        to: values.to,
      })),
  parameter_value: (from, to) => {
    const { added, removed, renamed } = namesBetween(from, to) ?? { added: [], removed: [], renamed: [] };
    return [
      ...added.map((name) => difference(false, `can be ${name}`, null, name)),
      ...removed.map((name) => difference(true, `can no longer be ${name}; records keep it`, name, null)),
      ...renamed.map((name) => difference(true, `is ${name.to} where it was ${name.from}`, name.from, name.to)),
    ];
  },
  parameter_default: (from, to) => defaultChange(from, to),
  parameter_set: (from, to) =>
    toggleDifferences(from.parameter.set === 'admin', to.parameter.set === 'admin', [
      'is for administrators only',
      'is for all editors',
    ]).map((change) => ({ ...change, exposing: !change.breaking })),
  parameter_synonyms: (from, to) => [
    ...from.parameter.synonyms
      .filter((name) => !to.parameter.synonyms.includes(name) && name !== to.parameter.name)
      .map((name) => difference(true, `is no longer accepted as ${name}`, name, null)),
    ...to.parameter.synonyms
      .filter((name) => !from.parameter.synonyms.includes(name))
      .map((name) => difference(false, `is also accepted as ${name}`, null, name)),
  ],
  parameter_words: (from, to) => {
    const [before, after] = [from, to].map(({ parameter }) => Object.entries(parameter.words ?? {}).map(String));
    return [
      ...(before ?? [])
        .filter((one) => !after?.includes(one))
        .map((one) => difference(true, `no longer takes ${one.replace(',', ' for ')}`, one, null)),
      ...(after ?? [])
        .filter((one) => !before?.includes(one))
        .map((one) => difference(false, `also takes ${one.replace(',', ' for ')}`, null, one)),
    ];
  },
  reference_need: (from, to) =>
    compared(from, to, (old, now) => {
      if (old.need === now.need) return [];
      const change = difference(true, `needs ${now.need} on its target, not ${old.need}`, old.need, now.need);
      // Callers who could not do so before may attach their records.
      const exposing = { ...change, breaking: false, exposing: true };
      const [before, after] = [NEEDS.indexOf(old.need), NEEDS.indexOf(now.need)];
      if (before === 0 || after === 0 || (before > 0 && after > 0)) return [after > before ? change : exposing];
      // The two rights may belong to different people.
      return [change, { ...exposing, from: null }];
    }),
  reference_target: (from, to) =>
    compared(from, to, (old, now) =>
      old.to === now.to ? [] : [difference(true, `refers to ${now.to}, not to ${old.to}`, old.to, now.to)],
    ),
  reference_inside: (from, to) =>
    compared(from, to, (old, now) =>
      toggleDifferences(old.inside === true || old.place === true, now.inside === true || now.place === true, [
        'must have the same owner as the record',
        'may have another owner',
      ]),
    ),
  reference_types: (from, to) => compared(from, to, (old, now) => mediaTypes(old.accepts, now.accepts)),
};

/** The names of a choice before and after; null if one of the two is not a stored choice. */
function namesBetween(from: ParameterContext, to: ParameterContext): Names | null {
  const [old, now] = [from, to].map(({ parameter, resource }) =>
    resource === null ? undefined : columnOf(resource, parameter.name),
  );
  if (old?.check?.rule !== 'choice' || now?.check?.rule !== 'choice') return null;
  return namesOf({ from: old, to: now });
}

/** From the weakest to the strongest; other rights cannot be compared. */
const NEEDS: readonly string[] = ['exists', 'use', 'edit'];

export function difference(breaking: boolean, message: string, from: unknown, to: unknown): Difference {
  return { breaking, message, from, to };
}

/** Adding a condition is breaking, removing one is not. */
export function toggleDifferences(
  from: boolean,
  to: boolean,
  [on, off]: readonly [string, string],
): readonly Difference[] {
  return from === to ? [] : [difference(to, to ? on : off, from, to)];
}

function schemaOf({ parameter, resource }: ParameterContext): Parameter['schema'] {
  return comparable(parameter.schema, resource === null ? undefined : columnOf(resource, parameter.name));
}

/**
 * A caller who sends nothing relies on the default: with a new one, the same request stores another value (oasdiff:
 * request-property-default-value-changed). A default where there was none is an addition.
 */
function defaultChange(from: ParameterContext, to: ParameterContext): readonly Difference[] {
  if (from.parameter.requiredOnCreate || to.parameter.requiredOnCreate || from.resource === null) return [];
  const [old, now] = [defaultOf(from), defaultOf(to)];
  if (old.key === now.key) return [];
  return [
    difference(old.value !== null, `default ${valueText(old.value)} -> ${valueText(now.value)}`, old.value, now.value),
  ];
}

function defaultOf({ parameter, resource, model }: ParameterContext): {
  readonly key: string;
  readonly value: unknown;
} {
  const origin = resource === null ? null : defaultOrigin(parameter.name, { resource, model });
  if (origin !== null) return { key: `of ${origin.key}`, value: origin.text };
  const value = parameter.schema.default ?? parameter.unset;
  // A number and its text are the same default, sent in two forms.
  return { key: value === null ? 'none' : `is ${valueText(value)}`, value };
}

function mediaTypes(from: readonly string[] = [], to: readonly string[] = []): readonly Difference[] {
  // Without a list, every file is accepted.
  const lost = to.length > 0 && (from.length === 0 || from.some((type) => !to.includes(type)));
  const gained = from.length > 0 && (to.length === 0 || to.some((type) => !from.includes(type)));
  return lost || gained ? [difference(lost, `media types ${valueText(from)} -> ${valueText(to)}`, from, to)] : [];
}

function compared(
  from: ParameterContext,
  to: ParameterContext,
  rule: (old: Reference, now: Reference) => readonly Difference[],
): readonly Difference[] {
  const [old, now] = [referenceOf(from), referenceOf(to)];
  return old === undefined || now === undefined ? [] : rule(old, now);
}

function referenceOf({ parameter, resource }: ParameterContext): Reference | undefined {
  return resource?.references.find(({ column }) => column === parameter.name);
}
