// Rules about what existing rows get when a field is added or becomes required: a literal or a copy that fits.
import { isDeepStrictEqual } from 'node:util';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import type { RawField } from '../language/language.js';
import { uniqueSetsOf } from '../language/unique-sets.js';
import { readFill } from '../model/kinds/default-of.js';
import type { Limits } from '../model/kinds/kind.js';
import { kindOf, mayBeEmpty } from '../model/kinds/kinds.js';
import { misfit } from './literal.js';
import { eachField, find, type PlacedField, type RuleTable, targetOf } from './rule.js';
import { at, type Subject } from './subject.js';
import { isStoredValue } from './value-rules.js';

const literalsFit = eachField(function* ({ subject, field, pointer }) {
  const fill = readFill(field);
  const problem = fill.is === 'literal' ? misfit(field, fill.value) : null;
  if (problem !== null) yield diagnostic('E0401', at(subject, [...pointer, 'fill']), { key: 'fill', problem });
});

const copiesNameValues = eachField(function* (placed, project) {
  const { subject, field, pointer } = placed;
  const fill = readFill(field);
  if (fill.is !== 'copied') return;
  const place = () => at(subject, [...pointer, 'fill', 'copy']);
  const reference = fill.reference === null ? null : find(subject, fill.reference, place);
  yield* reference?.mistakes ?? [];
  if (reference !== null && reference.field === null) return;
  const isOfOwner = reference?.field?.to !== undefined && Boolean(reference.field.place || reference.field.inside);
  if (reference !== null && !isOfOwner) {
    const expected = 'a reference with "place" or "inside"';
    yield diagnostic('E0316', place(), { field: fill.reference ?? '', resource: subject.raw.resource, expected });
    return;
  }
  const holder = reference?.field ? targetOf(reference.field, project) : subject;
  if (holder !== null) yield* copied(placed, { holder, name: fill.field, through: reference?.field ?? null });
});

interface Copied {
  readonly holder: Subject;
  readonly name: string;
  /** The reference to the holder; null: it is the record itself. */
  readonly through: RawField | null;
}

function* copied(placed: PlacedField, { holder, name, through }: Copied): Iterable<Diagnostic> {
  const { subject, pointer } = placed;
  const place = () => at(subject, [...pointer, 'fill', 'copy']);
  const { field: source, mistakes } = find(holder, name, place);
  yield* mistakes;
  if (source === null) return;
  const [reason] = obstacles(placed, { source, through });
  if (!isStoredValue(source)) {
    const holes = { field: name, resource: holder.raw.resource, expected: 'a stored value' };
    yield diagnostic('E0316', place(), holes);
  } else if (reason !== undefined) {
    yield diagnostic('E0453', place(), { field: placed.name, source: name, reason });
  }
}

interface Source {
  readonly source: RawField;
  readonly through: RawField | null;
}

function obstacles({ subject, name, field }: PlacedField, { source, through }: Source): readonly string[] {
  const isUnique = uniqueSetsOf(subject.raw).some((set) => set.includes(name));
  const mayMiss = mayBeEmpty(source) || (through !== null && mayBeEmpty(through));
  return [
    ...(source.kind === field.kind ? [] : [`it is of kind ${source.kind}, not ${field.kind}`]),
    ...(mayMiss && !mayBeEmpty(field) ? ['it may be empty, which this field must not be'] : []),
    ...(isWithin(source, field) ? [] : ['its limits are wider']),
    ...(readFill(source).is === 'copied' ? ['it is filled by a copy itself'] : []),
    ...(isUnique ? ['this field is unique'] : []),
  ];
}

/** Every value of `source` is one that `field` may hold. */
function isWithin(source: RawField, field: RawField): boolean {
  const [inner, outer] = [source, field].map((one) => kindOf(one).limits(one));
  const isInLimits =
    !inner || !outer || (inner.min >= outer.min && inner.max <= outer.max && scaleOf(inner) <= scaleOf(outer));
  const isListed =
    field.values === undefined || (source.values ?? [null]).every((one) => field.values?.includes(one as never));
  const isOfSchema = field.schema === undefined || isDeepStrictEqual(field.schema, source.schema);
  return isInLimits && isListed && isOfSchema;
}

function scaleOf(limits: Limits & { readonly scale?: number }): number {
  return limits.scale ?? 0;
}

export const FILL_RULES: RuleTable = {
  'what fills rows fits the field': literalsFit,
  'a copy that fills rows has a value that fits': copiesNameValues,
};
