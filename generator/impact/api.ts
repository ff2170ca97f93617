// The API part of a report: operations added and removed, then every rule applied to what exists on both sides.

import type { Action, Model } from '../model/model.js';
import { keepPathsAdvice } from './advice.js';
import { CALL_RULES } from './call-rules.js';
import { deprecationFindings } from './deprecation-rules.js';
import { applyRules, draft, parameterDrafts, propertyDrafts, replaced } from './members.js';
import { deprecationStatus } from './notes.js';
import type { Draft } from './report.js';
import { RESOURCE_RULES } from './resource-rules.js';
import {
  CALLS_WITH_PARAMETERS,
  CALLS_WITH_RECORD,
  type Call,
  callsOf,
  pairResources,
  type ResourceSide,
  type Sides,
  shared,
} from './sides.js';

/** @returns what changes for callers of the service, in no particular order */
export function apiImpact(from: Model, to: Model): readonly Draft[] {
  const old = { model: from, calls: callsOf(from) };
  const now = { model: to, calls: callsOf(to) };
  return [
    ...resources(old, now, 'removed'),
    ...resources(now, old, 'added'),
    ...pairResources(old, now).flatMap((sides) => [
      ...calls(sides),
      ...replaced(sides, {
        part: 'api',
        place: sides.to.resource.name,
        where: shared(sides, [...CALLS_WITH_PARAMETERS, ...CALLS_WITH_RECORD]),
      }),
      ...resourceDrafts(sides),
      ...parameters(sides),
      ...properties(sides),
      ...brief(sides),
      ...actionParameters(sides),
      ...deprecationFindings(sides),
    ]),
  ];
}

interface Surface {
  readonly model: Model;
  readonly calls: readonly Call[];
}

/** Resources that exist on one side only, each with all its operations. */
function resources(side: Surface, opposite: Surface, how: 'removed' | 'added'): readonly Draft[] {
  return side.model.resources
    .filter(({ name }) => !opposite.model.resources.some((other) => other.name === name))
    .map((resource) => {
      const same = opposite.model.resources.find(({ number }) => number === resource.number);
      const verbs = how === 'removed' ? ['is gone', 'is called'] : ['is new', 'was called'];
      const lasting = new Set(opposite.calls.map(({ key }) => key));
      const where = side.calls.filter(({ resource: name, key }) => name === resource.name && !lasting.has(key));
      return draft({
        rule: `resource_${how}`,
        // A renamed resource that is still served under its old name keeps its paths.
        breaking: how === 'removed' && where.length > 0,
        place: resource.name,
        where: (where.length > 0 ? where : side.calls.filter((call) => call.resource === resource.name)).map(
          ({ key }) => key,
        ),
        message: `${resource.name} ${same ? `${verbs[1]} ${same.name}` : verbs[0]}`,
        from: how === 'removed' ? resource.name : null,
        to: how === 'removed' ? null : resource.name,
        ...(how === 'removed'
          ? { deprecation: deprecationStatus(resource, null), advice: keepPathsAdvice(resource.name, same) }
          : {}),
      });
    });
}

function calls(sides: Sides): readonly Draft[] {
  const { from, to } = sides;
  const keys = (all: readonly Call[]) => new Set(all.map(({ key }) => key));
  const [old, now] = [keys(from.calls), keys(to.calls)];
  const callDraft = (call: Call, how: 'removed' | 'added', message: string): Draft =>
    draft({
      rule: `operation_${how}`,
      breaking: how === 'removed',
      place: `${to.resource.name} ${call.key}`,
      where: [call.key],
      message,
      from: how === 'removed' ? call.key : null,
      to: how === 'removed' ? null : call.key,
      ...(how === 'removed' ? { deprecation: deprecationStatus(from.resource, null) } : {}),
    });
  return [
    ...from.calls.filter(({ key }) => !now.has(key)).map((call) => callDraft(call, 'removed', 'is gone')),
    ...to.calls.filter(({ key }) => !old.has(key)).map((call) => callDraft(call, 'added', 'is new')),
    ...to.calls.flatMap((call) => {
      const before = from.calls.find(({ key }) => key === call.key);
      if (before === undefined) return [];
      return applyRules(CALL_RULES, (rule) => rule({ from: before, to: call, sides }), {
        place: `${to.resource.name} ${call.key}`,
        where: [call.key],
        subject: '',
      });
    }),
  ];
}

function resourceDrafts(sides: Sides): readonly Draft[] {
  return Object.entries(RESOURCE_RULES).flatMap(([name, rule]) =>
    rule.find(sides).flatMap(({ of, ...one }) => {
      const where = rule.elsewhere ? rule.elsewhere(sides, of) : shared(sides, rule.kinds);
      if (where.length === 0) return [];
      return [draft({ ...one, rule: name, place: `${sides.to.resource.name} ${of}`, where })];
    }),
  );
}

function parameters(sides: Sides): readonly Draft[] {
  const { from, to } = sides;
  const where = shared(sides, CALLS_WITH_PARAMETERS);
  const side = ({ resource, model }: ResourceSide) => ({ resource, model, parameters: resource.parameters });
  return parameterDrafts(side(from), side(to), { where, place: to.resource.name });
}

function actionParameters(sides: Sides): readonly Draft[] {
  return sides.to.calls.flatMap(({ key, action }) => {
    const before = sides.from.calls.find((call) => call.key === key)?.action;
    if (action === undefined || before === undefined) return [];
    const side = ({ name, parameters }: Action, { resource, model }: ResourceSide) => ({
      resource,
      model,
      parameters,
      action: name,
    });
    const place = `${sides.to.resource.name}.${action.name}`;
    return parameterDrafts(side(before, sides.from), side(action, sides.to), { where: [key], place });
  });
}

function properties(sides: Sides): readonly Draft[] {
  return propertyDrafts(sides, { part: 'api', where: shared(sides, CALLS_WITH_RECORD), place: sides.to.resource.name });
}

function brief({ from, to }: Sides): readonly Draft[] {
  const pointer = `#/components/schemas/${to.resource.name}_brief`;
  const where = to.model.resources.filter((one) => one.properties.some(({ schema }) => schema.$ref === pointer));
  const keys = where.map(({ name }) => `GET /api/${name}/{id}`);
  const [old, now] = [from.resource.brief, to.resource.brief];
  const attributeDraft = (name: string, how: 'removed' | 'added') =>
    draft({
      rule: `brief_${how}`,
      breaking: how === 'removed',
      place: `${to.resource.name} ${name}`,
      where: keys,
      message: `brief description of ${to.resource.name}: ${name} is ${how === 'removed' ? 'gone' : 'new'}`,
      from: how === 'removed' ? name : null,
      to: how === 'removed' ? null : name,
    });
  return [
    ...old.filter((name) => !now.includes(name)).map((name) => attributeDraft(name, 'removed')),
    ...now.filter((name) => !old.includes(name)).map((name) => attributeDraft(name, 'added')),
  ];
}
