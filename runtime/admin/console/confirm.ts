// The page that asks before something dangerous is done: for a click, a text to type, or the password again (D65).

import type { Parameters } from '../../operations/call.js';
import type { PageAnswer, PageRequest } from './page.js';
import { type Field, field, form, type Link, pageView, section } from './view.js';

/** A question that is asked before a form is carried out. */
export interface Question {
  /** Such as “Disable ada?”. */
  readonly title: string;
  /** The consequences. */
  readonly note: string;
  /** On the button. */
  readonly submit: string;
  /** The page to go to instead. */
  readonly back: Link;
  /** False: only the password is asked for, if at all. */
  readonly click?: boolean;
  /** A text that has to be typed; null: none. */
  readonly typed?: string | null;
  /** The password has to be entered again if that was more than 15 minutes ago. */
  readonly password?: boolean;
}

/** Milliseconds after which a password is asked for again. */
export const PASSWORD_VALID = 15 * 60_000;

const FIELDS = { confirmed: '_confirmed', typed: '_typed', password: '_password' } as const;

/** The parts of a question that are not answered yet, and the errors in answers. */
export interface OpenQuestion {
  readonly typed: string | null;
  readonly password: boolean;
  readonly errors: Readonly<Partial<Record<keyof typeof FIELDS, string>>>;
}

/** @param isStale the password was last entered too long ago @returns null: every question is answered */
export function openQuestion(question: Question, sent: Parameters, isStale: boolean): OpenQuestion | null {
  const { click = true, typed = null } = question;
  const password = question.password === true && isStale;
  if (!click && !password) return null;
  if (sent[FIELDS.confirmed] === undefined) return { typed, password, errors: {} };
  const isTyped = typed === null || String(sent[FIELDS.typed] ?? '').trim() === typed;
  return isTyped ? null : { typed, password, errors: { typed: `Type ${typed} as it is written here.` } };
}

/** The password that was sent with the form; empty: none. */
export function sentPassword({ [FIELDS.password]: sent }: Parameters): string {
  return typeof sent === 'string' ? sent : '';
}

/** The form without the answers to questions. */
export function withoutAnswers(sent: Parameters): Parameters {
  const names: readonly string[] = Object.values(FIELDS);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
}

/** The page with the question; its form sends the first form again. @param action path that it is sent to */
export function questionPage(
  { title, note, submit, back }: Question,
  { typed, password, errors }: OpenQuestion,
  { form: sent, action }: Pick<PageRequest, 'form'> & { readonly action: string },
): PageAnswer {
  const fields = [
    ...(typed === null ? [] : [typedField(typed, errors.typed)]),
    ...(password ? [passwordField(errors.password)] : []),
  ];
  const kept = Object.entries(sent).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (typeof one === 'string' ? [{ name, value: one }] : [])),
  );
  const hidden = [CONFIRMED, ...kept];
  const asked = form({ action, submit, tone: 'danger', fields, hidden });
  return { page: pageView({ title, sections: [section({ note, form: asked, links: [back] })] }) };
}

/** The hidden field of a form that is itself the question. */
export const CONFIRMED = { name: FIELDS.confirmed, value: 'yes' };

export function typedField(typed: string, error: string | null = null): Field {
  return field({ name: FIELDS.typed, label: `Type “${typed}” to confirm`, required: true, error });
}

function passwordField(error: string | null = null): Field {
  const kind = { type: 'password', autocomplete: 'current-password', required: true };
  return field({ name: FIELDS.password, label: 'Your password', ...kind, error });
}
