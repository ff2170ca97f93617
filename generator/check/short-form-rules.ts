// Rules about what resources inherit, and about the short forms of fields: `parent`, `times` and `{n}`, null.
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { NAME_FORM } from '../language/keywords.js';
import { type Plain, plain, writtenOut } from '../language/normalize.js';
import { isRepeated, PARENT, repeatedNames } from '../language/short-forms.js';
import type { Pointer } from '../load/load.js';
import { each, eachField, type RuleTable } from './rule.js';
import { at, type Convention, isPruned, type Subject } from './subject.js';

const conventionsAreKnown = each(function* (subject, project) {
  if (project.conventions === null || !project.conventions.sound || isPruned(subject)) return;
  const known = project.spec.conventions;
  for (const [index, convention] of subject.raw.extends.entries()) {
    if (known.includes(convention) || isPruned(subject, 'extends')) continue;
    yield diagnostic('E0304', extended(subject, index), { convention }, suggest(convention, known));
  }
});

function extended({ document }: Subject, index: number) {
  const item: Pointer = ['extends', index];
  return document.locate(document.has(item) ? item : ['extends']);
}

const conventionsAgree = each(function* (subject) {
  const { document, conventions } = subject;
  for (const [index, later] of conventions.entries()) {
    for (const earlier of conventions.slice(0, index)) {
      for (const what of disagreements(earlier, later).filter((pointer) => !isSettled(subject, pointer))) {
        const holes = { one: earlier.name, other: later.name, key: what.join('.') };
        yield diagnostic('E0324', extended(subject, subject.raw.extends.indexOf(later.name)), holes);
      }
    }
  }

  /** The resource gives the key itself, or has no such field. */
  function isSettled({ short }: Subject, pointer: Pointer): boolean {
    return (
      document.has(pointer) || (pointer[0] === 'fields' && !Object.hasOwn(plain(short.fields), String(pointer[1])))
    );
  }
});

/** Keys to which both give a value, and not the same. */
function disagreements({ keys: one }: Convention, { keys: other }: Convention): readonly Pointer[] {
  const merged = new Set(['fields', 'access', 'operations']);
  const whole = differing(one, other).filter(([key]) => !merged.has(key));
  const entries = (['access', 'operations'] as const).flatMap((key) =>
    differing(plain(one[key]), plain(other[key])).map(([entry]) => [key, entry]),
  );
  const fields = Object.keys(plain(one.fields)).flatMap((name) => {
    const [first, second] = [writtenOut(plain(one.fields)[name]), writtenOut(plain(other.fields)[name])];
    return differing(first, second).map(([key]) => ['fields', name, key]);
  });
  return [...whole, ...entries, ...fields];
}

function differing(one: Plain, other: Plain): readonly (readonly [string])[] {
  return Object.keys(one).flatMap((key) =>
    Object.hasOwn(other, key) && JSON.stringify(one[key]) !== JSON.stringify(other[key]) ? [[key] as const] : [],
  );
}

const nullDropsAField = each(function* ({ document, conventions, raw }) {
  for (const [field, written] of Object.entries(plain(document.value.fields))) {
    const inherited = conventions.flatMap(({ keys }) => Object.keys(plain(keys.fields)));
    if (written !== null || inherited.includes(field) || raw.extends.length > conventions.length) continue;
    yield diagnostic('E0323', document.locate(['fields', field], 'key'), { field }, suggest(field, inherited));
  }
});

const repeatedFieldsAreCounted = each(function* (subject) {
  for (const [field, written] of Object.entries(plain(subject.short.fields))) {
    const { times } = writtenOut(written);
    if (isRepeated(field) && times === undefined) {
      yield diagnostic('E0204', at(subject, ['fields', field], 'key'), { key: 'times', where: ` in fields.${field}` });
    }
    if (!isRepeated(field) && times !== undefined) {
      yield diagnostic('E0216', at(subject, ['fields', field, 'times'], 'key'), { field, number: '{n}' });
    }
  }
});

/** Keys that hold names, in which {n} stands for the number. */
const WITH_NAMES = ['was', 'synonyms', 'shown_as', 'list', 'lists'] as const;

const numbersAreOfRepeatedFields = eachField(function* ({ subject, field, pointer }) {
  for (const key of WITH_NAMES) {
    const value = field[key];
    if (value === undefined) continue;
    const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [value];
    for (const name of names.flat().filter((one) => typeof one === 'string' && isRepeated(one))) {
      const where = ` in ${[...pointer, key].join('.')}`;
      yield diagnostic('E0209', at(subject, [...pointer, key], 'key'), {
        name: JSON.stringify(name),
        where,
        form: NAME_FORM,
      });
    }
  }
});

const repeatedNamesAreTakenOnce = each(function* (subject) {
  const taken = new Map<string, string>();
  for (const [field, written] of Object.entries(plain(subject.short.fields))) {
    if (!isRepeated(field)) continue;
    const names = repeatedNames(field, writtenOut(written).times);
    const name = names.find((one) => taken.has(one));
    const other = name === undefined ? undefined : taken.get(name);
    for (const one of names) taken.set(one, field);
    if (name === undefined || other === undefined) continue;
    yield diagnostic('E0306', at(subject, ['fields', field], 'key'), { name, other: `"${other}"` });
  }
});

const oneParent = eachField(function* ({ subject, field, pointer }) {
  if (field.parent !== true) return;
  yield diagnostic('E0505', at(subject, [...pointer, PARENT], 'key'), { other: subject.origins.parent ?? '' });
});

const parentIsAWord = each(function* (subject): Iterable<Diagnostic> {
  if (!subject.raw.fields.has(PARENT)) return;
  const reason = 'it stands for the reference with "parent: true"';
  yield diagnostic('E0307', at(subject, ['fields', PARENT], 'key'), { name: PARENT, reason });
});

export const SHORT_FORM_RULES: RuleTable = {
  'a convention that is extended exists': conventionsAreKnown,
  'conventions give a key the same value, or the resource gives it': conventionsAgree,
  'null drops an inherited field': nullDropsAField,
  'a repeated field has {n} in its name and a number of times': repeatedFieldsAreCounted,
  'the number of a repeated field is only in its own keys': numbersAreOfRepeatedFields,
  'repeated fields have different names': repeatedNamesAreTakenOnce,
  'one reference is the parent': oneParent,
  'a field is not called parent': parentIsAWord,
};
