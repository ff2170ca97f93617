// Reports what an edit of the spec does: two models in, findings out. Pure.

import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { schemaView } from '../emit/schema.js';
import type { Model } from '../model/model.js';
import type { Shape } from '../versions/shape.js';
import type { Acceptances } from './accepted.js';
import { adviceText } from './advice.js';
import { apiImpact } from './api.js';
import { catalogueImpact } from './catalogue.js';
import { coverable, covered, noticedUnder, servedOn } from './coverage.js';
import { type CountRows, dataImpact } from './data.js';
import { fingerprint } from './fingerprint.js';
import { notesOf, type UseCounts } from './notes.js';
import { type Draft, type Finding, openFindings, PARTS, type Report } from './report.js';
import { webhookImpact } from './webhooks.js';

export interface ImpactContext {
  /** YYYY-MM-DD. */
  readonly today: string;
  /** What impact.yaml accepts. */
  readonly acceptances: Acceptances;
  /** Uses that a running service counted; null if unknown. */
  readonly uses: UseCounts | null;
  /** Null if there is no database to count rows in. */
  readonly count: CountRows | null;
  /** The versions of the spec, oldest first; none by default. */
  readonly versions?: readonly Shape[];
}

/** @returns every finding once, in an order that does not depend on the order of the descriptors */
export function impact(from: Model, to: Model, context: ImpactContext): Report {
  const { today, acceptances, count, versions = [] } = context;
  const schemas = { from: schemaView(from), to: schemaView(to) };
  const compare = (one: Model, other: Model) =>
    [...apiImpact(one, other), ...catalogueImpact(one, other)].map((draft) => findingOf(draft, context));
  const others = [...dataImpact(planSqlite(schemas.from, schemas.to), schemas, count), ...webhookImpact(from, to)];
  const compared = compare(from, to);
  const edit = { from, to, versions: servedOn(today, versions) };
  const marked = covered(compared, edit, compare);
  const findings = [
    ...marked,
    ...noticedUnder(edit, compared, compare),
    ...others.map((draft) => findingOf(draft, context)),
  ];
  const coverableCount = coverable(openFindings({ findings: marked }), edit, compare);
  return {
    findings: findings.sort(inOrder),
    remarks: acceptances.remarks(findings, today),
    ...(coverableCount === 0 ? {} : { coverable: coverableCount }),
  };
}

function findingOf(
  { deprecation, place, advice = null, ...draft }: Draft,
  { today, acceptances, uses }: ImpactContext,
): Finding {
  const print = fingerprint({ place, ...draft });
  const notes = deprecation === undefined ? [] : notesOf(deprecation, uses, today);
  // A removal that was announced needs no second notice.
  const isAnnounced = advice !== null && 'deprecate' in advice && (deprecation?.dates ?? null) !== null;
  const text = advice === null || isAnnounced || !draft.breaking ? null : adviceText(advice, today);
  const accepted = acceptances.find(print, today);
  return { ...draft, fingerprint: print, notes, advice: text, accepted, covered: null };
}

const CLASSES: readonly Draft['class'][] = [
  'breaking',
  'exposing',
  'risk',
  'destructive',
  'rebuild',
  'backfill',
  'online',
  'safe',
];

function inOrder(one: Finding, other: Finding): number {
  const key = ({ part, class: kind, where, message }: Finding) =>
    [PARTS.indexOf(part), CLASSES.indexOf(kind)].map(String).concat(where[0] ?? '', message);
  const [a, b] = [key(one), key(other)];
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}
