// Decides on every engine which migrations may be applied: a start applies safe ones, `apply` needs every drop and every filled
// null to be named, and a rehearsal on a copy needs no permission for either. Other rows that break the plan stop all three.

import { CommandError } from '../contract/command-error.js';
import type { Schema } from '../schema/schema.js';
import type { Migrate } from './engine.js';
import { brokenText, foreignText, type PendingMigration } from './schema-migrator.js';
import { StartError } from './start-error.js';

/** Throws StartError, which names the command, for a migration that a start does not apply by itself. */
export function permitAtStart(migrate: Migrate): (pending: PendingMigration) => void {
  return ({ plan, broken, foreign }) => {
    if (foreign.length > 0) throw new StartError(foreignText(foreign));
    const reasons = broken.map((one) => `${brokenText(one)}: ${one.remedy}`);
    if (plan.drops.length > 0) {
      const allowed = plan.drops.map((name) => ` --allow drop:${name}`).join('');
      reasons.push(`the schema drops ${plan.drops.join(', ')}: run \`punchboard migrate apply${allowed}\``);
    } else if (broken.length === 0 && migrate === 'none' && plan.steps.length > 0) {
      reasons.push('the database has an older schema, and a start may not change it: run `punchboard migrate apply`');
    }
    if (reasons.length > 0) throw new StartError(`${reasons.join('; ')} (\`punchboard migrate plan\` shows all of it)`);
  };
}

/** Throws StartError if the database has a newer schema, or one of another branch. */
export function refuseNewer(from: Schema, schema: Schema): void {
  if (from.revision > schema.revision)
    throw new StartError(
      `the database was created by a newer version (revision ${from.revision}, this server knows ${schema.revision}): ` +
        'start the newer server or restore a backup, or, if another branch brought it there, run `punchboard migrate adopt`',
    );
  if (from.revision === schema.revision && isOtherContent(from, schema))
    throw new StartError(
      `another branch brought the database to a revision ${from.revision} of its own: ` +
        'run `punchboard migrate adopt`, which matches it by names',
    );
}

/** Schemas from before numbers were drawn have no content hash. */
function isOtherContent(one: Schema, other: Schema): boolean {
  return one.content !== undefined && other.content !== undefined && one.content !== other.content;
}

/** @param allow the permissions given, `drop:boxtop.top_id` or `fill:boxtop.quantity`. The function throws CommandError. */
export function permitAllowed(allow: readonly string[]): (pending: PendingMigration) => void {
  return (pending) => {
    const { changes, drops } = pending.plan;
    if (pending.foreign.length > 0) throw new CommandError(`nothing was changed: ${foreignText(pending.foreign)}`);
    const unknown = allow.filter((name) => !permissionsOf(pending).includes(name));
    // A plan without changes was already applied.
    if (unknown.length > 0 && changes.length > 0) throw new CommandError(unknownText(pending, unknown));
    refuse({ ...pending, broken: pending.broken.filter((one) => one.allow === null || !allow.includes(one.allow)) });
    const missing = drops.filter((name) => !allow.includes(`drop:${name}`));
    if (missing.length > 0) {
      const flags = missing.map((name) => `--allow drop:${name}`).join(' ');
      throw new CommandError(`the plan drops ${missing.join(', ')}: repeat the command with ${flags}`);
    }
  };
}

/** Throws CommandError if rows break rules that cannot be allowed, naming each rule and those rows. */
export function permitRehearsal(pending: PendingMigration): void {
  refuse({ ...pending, broken: pending.broken.filter(({ allow }) => allow === null) });
}

function refuse({ broken }: Pick<PendingMigration, 'broken'>): void {
  if (broken.length === 0) return;
  const reasons = broken.map((one) => `${brokenText(one)}: ${one.remedy}`);
  throw new CommandError(`nothing was changed: ${reasons.join('; ')}`);
}

function permissionsOf({ plan, risks }: PendingMigration): readonly string[] {
  return [...plan.drops.map((name) => `drop:${name}`), ...risks.flatMap(({ allow }) => allow ?? [])];
}

function unknownText(pending: PendingMigration, unknown: readonly string[]): string {
  const known = permissionsOf(pending);
  return `the plan does not need ${unknown.join(', ')} to be allowed${known.length === 0 ? '' : `, only ${known.join(', ')}`}`;
}
