// Reports what an edit of the spec does: two models in, findings out. Pure.

import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { schemaView } from '../emit/schema.js';
import type { Model } from '../model/model.js';
import type { Acceptances } from './accepted.js';
import { adviceText } from './advice.js';
import { apiImpact } from './api.js';
import { catalogueImpact } from './catalogue.js';
import { type CountRows, dataImpact } from './data.js';
import { fingerprint } from './fingerprint.js';
import { notesOf, type Uses } from './notes.js';
import { type Draft, type Finding, PARTS, type Report } from './report.js';
import { webhookImpact } from './webhooks.js';

export interface ImpactContext {
  /** YYYY-MM-DD. */
  readonly today: string;
  /** What impact.yaml accepts. */
  readonly acceptances: Acceptances;
  /** Uses that a running service counted; null: not known. */
  readonly uses: Uses | null;
  /** Null: there is no database to count rows in. */
  readonly count: CountRows | null;
}

/** @returns every finding once, in an order that does not depend on that of the descriptors */
export function impact(from: Model, to: Model, { today, acceptances, uses, count }: ImpactContext): Report {
  const schemas = { from: schemaView(from), to: schemaView(to) };
  const drafts = [
    ...apiImpact(from, to),
    ...catalogueImpact(from, to),
    ...dataImpact(planSqlite(schemas.from, schemas.to), schemas, count),
    ...webhookImpact(from, to),
  ];
  const findings = drafts.map(({ deprecation, place, advice = null, ...draft }): Finding => {
    const print = fingerprint({ place, ...draft });
    const notes = deprecation === undefined ? [] : notesOf(deprecation, uses, today);
    // A removal that was announced needs no second notice.
    const isTold = advice !== null && 'deprecate' in advice && (deprecation?.dates ?? null) !== null;
    const said = advice === null || isTold || !draft.breaking ? null : adviceText(advice, today);
    return { ...draft, fingerprint: print, notes, advice: said, accepted: acceptances.find(print, today) };
  });
  return { findings: findings.sort(inOrder), remarks: acceptances.remarks(findings, today) };
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
