// Who may have what applied: `apply` needs every drop named, a rehearsal drops freely on its copy; rows in the way stop both.
import { CommandError } from '../../../command.js';
import { brokenText, type Pending } from './pending.js';

/** @param allow names of drops, `boxtop` or `boxtop.top_id`. The function throws CommandError. */
export function applying(allow: readonly string[]): (pending: Pending) => void {
  return (pending) => {
    const { changes, drops } = pending.plan;
    const unknown = allow.filter((name) => !drops.includes(name));
    // Named again after it was applied, there is nothing to do.
    if (unknown.length > 0 && changes.length > 0) {
      const instead = drops.length === 0 ? 'it drops nothing' : `it drops ${drops.join(', ')}`;
      throw new CommandError(`the plan does not drop ${unknown.join(', ')}: ${instead}`);
    }
    rehearsing(pending);
    const missing = drops.filter((name) => !allow.includes(name));
    if (missing.length > 0) {
      const flags = missing.map((name) => `--allow drop:${name}`).join(' ');
      throw new CommandError(`the plan drops ${missing.join(', ')}: repeat the command with ${flags}`);
    }
  };
}

/** Throws CommandError where rows are in the way, naming each rule and rows that break it. */
export function rehearsing({ broken }: Pending): void {
  if (broken.length === 0) return;
  const reasons = broken.map((one) => `${brokenText(one)}: ${one.remedy}`);
  throw new CommandError(`nothing was changed, since ${reasons.join('; ')}`);
}
