// Rules about what the descriptors had when gen last ran and have no more: a field or resource that is gone, and one that
// is new and may be the same under another name.
import { type Diagnostic, diagnostic, type Place } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { type Departures, departures } from '../ledger/departures.js';
import { columnsOf, shortOf } from '../model/kinds/kinds.js';
import type { Project } from './project.js';
import type { Rule, RuleTable } from './rule.js';
import { at, hasUnclearFields, type Subject } from './subject.js';

/** A probable rename of one name of a kind. */
interface Renamed {
  readonly name: string;
  readonly was: string;
}

const departuresAreMeant: Rule = function* (project) {
  const { ledger, extended, byName, hazy } = project;
  if (ledger === null || hazy.size > 0 || [...byName.values()].some(hasUnclearFields)) return;
  // A wrong `was` is reported first.
  if (extended.problems.length > 0) return;
  const departed = departures(ledger, extended.ledger);
  yield* ofResources(departed, project);
  yield* ofFields(departed, project);
};

function* ofResources({ gone, added }: Departures, { byName, conventions }: Project): Iterable<Diagnostic> {
  const renamed = pairs(added, () => gone);
  for (const { name, was } of renamed) {
    const subject = byName.get(name);
    if (subject !== undefined) yield rename(at(subject, ['resource']), name, was);
  }
  const place = conventions?.locate([]) ?? { path: 'spec/conventions.yaml', start: 0, end: 0 };
  for (const name of gone.filter((one) => renamed.every(({ was }) => was !== one))) {
    yield diagnostic('W0605', place, { what: `the resource "${name}" is gone` });
  }
}

/** A field of a convention is reported once, with all resources that had it. */
function* ofFields({ columns }: Departures, { byName }: Project): Iterable<Diagnostic> {
  const reported = new Set<string>();
  const lost = new Map<string, Subject[]>();
  for (const [resource, { gone, added }] of columns) {
    const subject = byName.get(resource);
    if (subject === undefined) continue;
    const renamed = renamedFields(subject, gone, added);
    for (const { name, was } of renamed) {
      const warning = rename(at(subject, ['fields', name], 'key'), name, was);
      const key = `${warning.path} ${warning.start}`;
      if (!reported.has(key)) yield warning;
      reported.add(key);
    }
    const rest = [...new Set(gone.filter((column) => !isProof(column)).map(baseName))];
    for (const name of rest.filter((one) => renamed.every(({ was }) => was !== one))) {
      lost.set(name, [...(lost.get(name) ?? []), subject]);
    }
  }
  for (const [name, [first, ...others]] of lost) {
    if (first === undefined) continue;
    const from = [first, ...others].map(({ raw }) => raw.resource).join(', ');
    yield diagnostic('W0605', at(first, ['resource']), { what: `"${name}" is gone from ${from}` });
  }
}

/** New fields that could take over the values of a removed field: those with the same columns. */
function renamedFields(subject: Subject, gone: readonly string[], added: ReadonlySet<string>): readonly Renamed[] {
  const { fields } = subject.raw;
  const groups = grouped(gone);
  const written = [...fields].filter(([, field]) => shortOf(field) === null);
  const names = written.filter(([name, field]) => columnsOf(name, field).some((column) => added.has(column)));
  return pairs(
    names.map(([name]) => name),
    (name) => {
      const field = fields.get(name);
      const keeps = (was: string, columns: readonly string[]): boolean =>
        field !== undefined && columnsOf(was, field).join() === columns.join();
      return groups.flatMap((columns) =>
        [baseName(columns[0] ?? ''), columns[0] ?? ''].filter((was) => keeps(was, columns)).slice(0, 1),
      );
    },
  );
}

/** Columns grouped by their former field: an image has two. */
function grouped(columns: readonly string[]): readonly (readonly string[])[] {
  return columns
    .filter((column) => !isProof(column))
    .map((column) => [column, ...columns.filter((other) => other === `${PROOF}${baseName(column)}`)]);
}

/** The nearest name that fits; then, if exactly one old and one new name are left, that pair. */
function pairs(added: readonly string[], fitting: (name: string) => readonly string[]): readonly Renamed[] {
  const near = added.flatMap((name) => {
    const was = suggest(name, fitting(name));
    return was === null ? [] : [{ name, was }];
  });
  const left = added.filter((name) => near.every((one) => one.name !== name));
  const rest = left.map((name) => ({
    name,
    gone: fitting(name).filter((was) => near.every((one) => one.was !== was)),
  }));
  const [only, ...others] = rest.filter(({ gone }) => gone.length > 0);
  const [was, ...more] = only?.gone ?? [];
  if (only === undefined || was === undefined || others.length + more.length > 0) return near;
  return [...near, { name: only.name, was }];
}

const PROOF = 'has_proofed_';
const isProof = (column: string): boolean => column.startsWith(PROOF);
const baseName = (column: string): string => column.replace(/_id$/, '');

function rename(place: Place, name: string, was: string): Diagnostic {
  return diagnostic('W0604', place, { name, was });
}

export const DEPARTURE_RULES: RuleTable = {
  'what was removed is reported, and a probable rename is suggested': departuresAreMeant,
};
