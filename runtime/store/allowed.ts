// What may be applied: `apply` needs every drop and every filled null to be named, while a rehearsal needs no permission
// for them on its copy. Other rows that break the plan stop both.
import { CommandError } from '../server/command.js';
import { brokenText, type Pending } from './schema-keeper.js';

/** @param allow what was named, `drop:boxtop.top_id` or `fill:boxtop.quantity`. The function throws CommandError. */
export function applying(allow: readonly string[]): (pending: Pending) => void {
  return (pending) => {
    const { changes, drops } = pending.plan;
    const unknown = allow.filter((name) => !allowable(pending).includes(name));
    // It was already applied: there is nothing to do.
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
export function rehearsing(pending: Pending): void {
  refuse({ ...pending, broken: pending.broken.filter(({ allow }) => allow === null) });
}

function refuse({ broken }: Pick<Pending, 'broken'>): void {
  if (broken.length === 0) return;
  const reasons = broken.map((one) => `${brokenText(one)}: ${one.remedy}`);
  throw new CommandError(`nothing was changed: ${reasons.join('; ')}`);
}

function allowable({ plan, risks }: Pending): readonly string[] {
  return [...plan.drops.map((name) => `drop:${name}`), ...risks.flatMap(({ allow }) => allow ?? [])];
}

function unknownText(pending: Pending, unknown: readonly string[]): string {
  const known = allowable(pending);
  return `the plan does not need ${unknown.join(', ')} to be allowed${known.length === 0 ? '' : `, only ${known.join(', ')}`}`;
}
