// Rules about records that are made with others (D40): `make` has all that they need, and only their makers delete them.
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import type { RawField, RawResource } from '../language/language.js';
import { uniqueSetsOf } from '../language/unique-sets.js';
import { defaultOf, kindOf } from '../model/kinds/kinds.js';
import { referenceBack } from '../model/kinds/reference.js';
import { misfit } from './literal.js';
import { eachField, find, type PlacedField, type RuleTable, targetOf } from './rule.js';
import { at, hasUnclearFields, type Subject } from './subject.js';
import { isStoredValue } from './value-rules.js';

/** A field with `make`, and what it makes. */
interface Making {
  readonly placed: PlacedField;
  readonly target: Subject;
  readonly values: Readonly<Record<string, unknown>>;
  /** The field of the target that refers back; null: it is missing. */
  readonly back: string | null;
}

function eachMaking(rule: (making: Making) => Iterable<Diagnostic>) {
  return eachField(function* (placed, project) {
    const { make: values } = placed.field;
    const target = values === undefined ? null : targetOf(placed.field, project);
    if (values === undefined || target === null || hasUnclearFields(target)) return;
    const { resource } = placed.subject.raw;
    const back = referenceBack(target.raw, resource);
    yield* rule({ placed, target, values, back });
  });
}

const isPlacedWithItsMaker = eachMaking(function* ({ placed: { subject, pointer }, target, back }) {
  if (back !== null) return;
  const holes = { made: target.raw.resource, maker: subject.raw.resource };
  yield diagnostic('E0450', at(subject, [...pointer, 'make'], 'key'), holes);
});

const valuesFit = eachMaking(function* ({ placed: { subject, pointer }, target, values }) {
  for (const [name, value] of Object.entries(values)) {
    const place = at(subject, [...pointer, 'make', name]);
    const { field, mistakes } = find(target, name, () => at(subject, [...pointer, 'make', name], 'key'));
    yield* mistakes;
    if (field === null) continue;
    const problem = isSent(field) ? misfit(field, value) : null;
    const holes = { field: name, resource: target.raw.resource, expected: 'a value that callers can send' };
    if (!isSent(field)) yield diagnostic('E0316', place, holes);
    else if (problem !== null) yield diagnostic('E0401', place, { key: name, problem });
  }
});

function isSent(field: RawField): boolean {
  return isStoredValue(field) && field.read_only !== true && field.from === undefined;
}

/** Not even what the session would fill in: a start makes records without one. */
const nothingIsMissing = eachMaking(function* ({ placed: { subject, pointer }, target, values, back }) {
  for (const [name, field] of target.raw.fields) {
    const isOfSession = field.default === 'session.user' || field.from === 'session.user';
    const needed = !kindOf(field).derived && (field.required === true || isOfSession);
    if (!needed || name === back || back === null || Object.hasOwn(values, name)) continue;
    const holes = { made: target.raw.resource, field: name };
    yield diagnostic('E0451', at(subject, [...pointer, 'make'], 'key'), holes);
  }
});

const canBeMade = eachMaking(function* (making) {
  const { placed, target, back } = making;
  const [reason] = back === null ? [] : obstacles(making, back);
  if (reason === undefined) return;
  const place = at(placed.subject, [...placed.pointer, 'make'], 'key');
  yield diagnostic('E0452', place, { made: target.raw.resource, reason });
});

function obstacles({ placed, target, values }: Making, back: string): readonly string[] {
  const { raw } = target;
  const others = [...placed.subject.raw.fields.values()].filter(
    ({ make, to }) => make !== undefined && to === raw.resource,
  );
  const isSame = (name: string): boolean =>
    Object.hasOwn(values, name) || (name === back ? others.length > 1 : hasFixedDefault(raw, name));
  return [
    ...(raw.upload === undefined ? [] : ['it needs an upload']),
    ...(raw.served_by === undefined ? [] : ['a module of its own serves it']),
    ...(raw.lifecycle ?? []).filter((one) => one.endsWith('Create')).map((one) => `it has ${one}`),
    ...uniqueSetsOf(raw)
      .filter((set) => set.every(isSame))
      .map((set) => `"${set.join(', ')}" would not be unique`),
    ...[...raw.fields].flatMap(([name, { on_delete }]) =>
      on_delete === 'cascade' && name !== back ? [`it would also be deleted with its "${name}"`] : [],
    ),
  ];
}

function hasFixedDefault({ fields }: RawResource, name: string): boolean {
  const field = fields.get(name);
  return field !== undefined && (defaultOf(field).is === 'literal' || kindOf(field).unset !== undefined);
}

export const MADE_RULES: RuleTable = {
  'a made record is placed with its maker': isPlacedWithItsMaker,
  'the values of a made record fit its fields': valuesFit,
  'a made record lacks nothing': nothingIsMissing,
  'a made record can be made by data alone, any number of times': canBeMade,
};
