// Rules about what hand-written functions read beside their own record: records of the same placement, since they are locked
// and changed with it.

import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { suggestion } from '../diagnostics/suggest.js';
import type { RawRead, RawReads } from '../language/language.js';
import { listsBy, pathOfRead } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import type { Project } from './project.js';
import { listsBelow } from './reference-rules.js';
import { countedReferences, each, fieldThat, REFERENCE_OF_ONE_OWNER, type RuleTable, targetOf } from './rule.js';
import { at, hasUnclearFields, isMalformed, type Subject } from './subject.js';
import { conditionFits } from './value-rules.js';

export const NEIGHBOUR_RULES: RuleTable = {
  'what a function reads is one list or record of its placement': each(function* (subject, project) {
    for (const { reads, pointer } of readsOf(subject)) {
      for (const [name, read] of Object.entries(reads)) {
        const place: Pointer = [...pointer, name];
        const wrong = formProblem(read);
        if (wrong !== null) yield unreadable(at(subject, place, 'key'), name, wrong);
        else yield* neighboursFit(subject, read, place, project);
      }
    }
  }),

  'what is read has a function that gets it': each(function* (subject) {
    const { lifecycle = [], reads, actions, fields } = subject.raw;
    const [reason] = [
      ...(lifecycle.some((step) => !step.endsWith('Delete')) ? [] : ['no function of a create or an update gets it']),
      // Such a function would not see the other records, which are stored after the last of them is planned.
      ...([...fields.values()].some(({ bulk }) => bulk === true) ? ['its records are also created in bulk'] : []),
    ];
    if (reads !== undefined && reason !== undefined) yield unreadable(at(subject, ['reads'], 'key'), 'reads', reason);
    for (const [name, { reads: own, sets, copies }] of actions) {
      if (own === undefined || isMalformed(subject, 'actions', name) || (sets ?? copies) === undefined) continue;
      yield unreadable(at(subject, ['actions', name, 'reads'], 'key'), 'reads', 'the action has no function');
    }
  }),
};

function unreadable(place: YamlPosition, name: string, reason: string): Diagnostic {
  return diagnostic('E0422', place, { name, reason });
}

interface PlacedReads {
  readonly reads: RawReads;
  readonly pointer: Pointer;
}

function readsOf({ raw }: Subject): readonly PlacedReads[] {
  const actions = [...raw.actions].flatMap(([name, { reads }]) =>
    reads === undefined ? [] : [{ reads, pointer: ['actions', name, 'reads'] }],
  );
  return [...(raw.reads === undefined ? [] : [{ reads: raw.reads, pointer: ['reads'] }]), ...actions];
}

function formProblem({ list, record, where, limit }: RawRead): string | null {
  if ((list === undefined) === (record === undefined)) return 'it needs exactly one of list and record';
  return record !== undefined && (where !== undefined || limit !== undefined)
    ? 'one record has no "where" and no "limit"'
    : null;
}

function* neighboursFit(subject: Subject, read: RawRead, pointer: Pointer, project: Project): Iterable<Diagnostic> {
  const { reference, list } = pathOfRead(read);
  const place = () => at(subject, [...pointer, list === null ? 'record' : 'list']);
  const through = reference === null ? null : yield* fieldThat(subject, reference, place, REFERENCE_OF_ONE_OWNER);
  const holder = reference === null ? subject : through && targetOf(through, project);
  if (holder === null || list === null) return;
  const { resource } = holder.raw;
  const [of, ...others] = countedReferences(list, resource, project);
  if (of === undefined) {
    if (project.unreadable.size > 0 || project.subjects.some(hasUnclearFields)) return;
    yield diagnostic('E0308', place(), { resource, list }, suggestion(list, listsBelow(resource, project)));
    return;
  }
  const { subject: child, field } = of;
  if (others.length > 0) yield unreadable(place(), list, 'it is a list of several resources');
  if (field.place !== true && field.inside !== true) {
    yield unreadable(place(), list, `a ${child.raw.resource} may have another owner than its ${resource}`);
  }
  const where = read.where ?? {};
  for (const key of Object.keys(listsBy(field, child.raw).get(list) ?? {}).filter((one) => one in where)) {
    yield unreadable(at(subject, [...pointer, 'where', key], 'key'), key, `"${list}" has a condition on it already`);
  }
  yield* conditionFits(child, where, (key) => at(subject, [...pointer, 'where', key]));
}
