// What the migrate commands print, as text and as JSON. Pure.
import type { ChangeClass } from '../../schema/plan.js';
import {
  type AppliedStep,
  brokenText,
  foreignText,
  isAppliedAtStart,
  isSafe,
  type KeptDrop,
  type PendingMigration,
  type Rehearsal,
  type RestoredDrop,
} from '../../store/schema-migrator.js';

const EMPTY = 'The database is empty: the first start creates all tables.';

/** @param command the command that applies the plan */
export function planText(pending: PendingMigration | null, command: 'apply' | 'adopt' = 'apply'): string {
  if (pending === null) return `${EMPTY}\n`;
  const { plan, risks, broken } = pending;
  if (plan.changes.length === 0 && plan.steps.length === 0) return 'Up to date.\n';
  return [
    ...section(
      'Changes',
      plan.changes.map((one) => `${classText(one.class)}${subject(one)} ${one.says}`),
    ),
    ...(risks.length > 0 && broken.length === 0 ? ['No rows are in the way.'] : []),
    ...section(
      'Rows in the way',
      broken.map((risk) => `${brokenText(risk)}: ${risk.remedy}`),
    ),
    ...section(
      'Other rows',
      risks.filter(({ harmless, count }) => harmless && count > 0).map((risk) => `${brokenText(risk)}: ${risk.remedy}`),
    ),
    ...section(
      'Steps',
      plan.steps.map(({ says }, at) => `${at + 1}. ${says}`),
    ),
    ...section('Drops (each must be allowed by name; values are kept aside until purged)', plan.drops.map(flag)),
    `${verdict(pending, command)}\n`,
  ].join('\n');
}

export function planJson(pending: PendingMigration | null): unknown {
  if (pending === null) return { empty: true, safe: true, changes: [], risks: [], steps: [], drops: [] };
  const { plan, risks, manualConflicts, foreign } = pending;
  const { changes, steps, drops } = plan;
  return { empty: false, safe: isSafe(pending), changes, risks, steps, drops, handMade: manualConflicts, foreign };
}

export function statusText(
  pending: PendingMigration | null,
  applied: readonly AppliedStep[],
  kept: readonly KeptDrop[],
): string {
  return [
    pending === null ? EMPTY : standing(pending),
    ...section(
      'Applied',
      applied.map((one) => `${date(one.applied)}  ${classText(one.class)}${one.says}`),
    ),
    ...section('Kept aside', kept.map(droppedText)),
    '',
  ].join('\n');
}

export function statusJson(
  pending: PendingMigration | null,
  applied: readonly AppliedStep[],
  kept: readonly KeptDrop[],
): unknown {
  return {
    empty: pending === null,
    pending: pending?.plan.changes.length ?? 0,
    safe: pending === null || isSafe(pending),
    applied: applied.map((one) => ({ ...one, applied: date(one.applied) })),
    kept: kept.map(keptJson),
  };
}

/** @param milliseconds the time that it took */
export function appliedText(steps: readonly { readonly says: string }[], milliseconds: number): string {
  if (steps.length === 0) return 'Up to date.\n';
  return `${steps.map(({ says }, at) => `${at + 1}. ${says}\n`).join('')}Done in ${(milliseconds / 1000).toFixed(1)} s.\n`;
}

export function rehearsalText({ rows, tables, duration, findings }: Rehearsal): string {
  const tried = `Rehearsed on a copy with ${rows} rows in ${tables} tables, in ${Math.round(duration)} ms`;
  if (findings.length === 0) return `${tried}: nothing differs except what the plan changes.\n`;
  return [`${tried}.`, ...section('Unexpected differences', findings), ''].join('\n');
}

export function restoredText(drops: readonly RestoredDrop[]): string {
  const lines = drops.map(({ drop, restored, unlinked }) => {
    const left =
      restored === drop.rows
        ? ''
        : `; ${drop.rows - restored} stay aside: already restored, changed since, or no longer valid`;
    const links = unlinked === 0 ? '' : `; references left empty because their target does not exist: ${unlinked}`;
    return `${drop.name}, dropped ${date(drop.dropped)}: ${restored} of ${drop.rows} restored${left}${links}\n`;
  });
  return lines.join('');
}

export function restoredJson(drops: readonly RestoredDrop[]): unknown {
  return drops.map(({ drop, restored, unlinked }) => ({ ...keptJson(drop), restored, unlinked }));
}

export function keptJson({ name, rows, dropped }: KeptDrop) {
  return { name, rows, dropped: date(dropped) };
}

export function purgedText(purged: readonly KeptDrop[]): string {
  if (purged.length === 0) return 'Nothing to remove.\n';
  return purged.map((drop) => `Removed for good: ${droppedText(drop)}\n`).join('');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function subject({ table, column }: { readonly table: string; readonly column: string | null }): string {
  return column === null ? table : `${table}.${column}`;
}

function classText(kind: ChangeClass): string {
  return kind.padEnd('destructive'.length + 2);
}

function flag(name: string): string {
  return `--allow drop:${name}`;
}

function verdict(pending: PendingMigration, command: 'apply' | 'adopt'): string {
  const { plan, broken, manualConflicts, foreign } = pending;
  if (foreign.length > 0) return `Refused: ${foreignText(foreign)}.`;
  if (manualConflicts.length > 0) return `Refused: ${manualConflicts.join('; ')}.`;
  if (broken.some(({ allow }) => allow === null)) return 'Refused: rows are in the way.';
  const allowances = [...plan.drops.map(flag), ...broken.map(({ allow }) => `--allow ${allow}`)];
  if (allowances.length > 0) return `To apply it, run: punchboard migrate ${command} ${allowances.join(' ')}`;
  if (command === 'adopt') return 'Safe: stop all servers, then run: punchboard migrate adopt';
  const before = isAppliedAtStart(pending) ? 'the next start applies it, or run' : 'stop all servers, then run';
  return `Safe: ${before}: punchboard migrate apply`;
}

function standing(pending: PendingMigration): string {
  const count = pending.plan.changes.length;
  if (count === 0) return 'Up to date.';
  const [changes, them] = count === 1 ? ['1 change', 'it'] : [`${count} changes`, 'them'];
  return `${changes} pending: ${isAppliedAtStart(pending) ? `the next start applies ${them}` : 'see `punchboard migrate plan`'}.`;
}

function droppedText({ name, rows, dropped }: KeptDrop): string {
  return `${name}, ${rows} ${rows === 1 ? 'value' : 'values'}, dropped ${date(dropped)}`;
}

/** ISO 8601 in UTC, to the second. */
function date(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
