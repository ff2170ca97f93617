// Derives from the text of a statement which table it may have to wait for.

export interface StatementClass {
  /** The table of the statement, which another transaction may have locked; empty: none. */
  readonly table: string;
  /** The statement only reads and does not lock, so that it may be sent twice. */
  readonly isRead: boolean;
}

/** @returns a function that remembers its answer for each text */
export function createStatementClassifier(): (statement: { readonly text: string }) => StatementClass {
  const known = new Map<string, StatementClass>();
  return ({ text }) => {
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    const found = { table: lockedTable(text), isRead: isPlainRead(text) };
    known.set(text, found);
    return found;
  };
}

function isPlainRead(text: string): boolean {
  return /^SELECT\b/.test(text) && !/\bFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/.test(text);
}

/** The first table outside of parentheses, or else the first of all. */
function lockedTable(text: string): string {
  return /^WITH\b/.test(text) ? firstTable(text) : firstTable(withoutParentheses(text)) || firstTable(text);
}

/** A function after FROM is not a table. */
function firstTable(text: string): string {
  const [, written, read] = /\b(?:(?:INTO|UPDATE)\s+"?(\w+)|(?:FROM|JOIN)\s+"?(\w+)\b(?!"?\s*[(…]))/.exec(text) ?? [];
  return written ?? read ?? '';
}

/** Literals are not treated specially: at worst, the result is another table of the statement. */
function withoutParentheses(text: string): string {
  const less = text.replace(/\([^()]*\)/g, '…');
  return less === text ? text : withoutParentheses(less);
}
