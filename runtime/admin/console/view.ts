// The content of a page as data for the templates: sections of facts, tables, forms and plots. Templates look up every key, so
// builders fill in what is left out.

export interface Link {
  readonly text: string;
  readonly href: string;
}

/** One value; `tone` shows it as a badge. */
export interface Cell {
  readonly text: string;
  readonly href: string | null;
  readonly tone: Tone | null;
  readonly code: boolean;
  /** Path of a picture, which the text names. */
  readonly image: string | null;
  /** Shown as it is, with line breaks. */
  readonly long: boolean;
  /** The moment that the text names, for the browser's script to show in local time; null: the text names none. */
  readonly time: string | null;
  /** Lines of cells, in place of the text; null: the text is shown. */
  readonly lines: readonly (readonly Cell[])[] | null;
  /** The id of the record that a box selects, which the text names; null: there is no box. */
  readonly check: string | null;
  readonly button: Form | null;
}

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export interface Fact {
  readonly label: string;
  readonly cell: Cell;
}

export interface Heading {
  readonly text: string;
  /** The address of the list sorted by this column; null: the column does not sort. */
  readonly href: string | null;
  readonly sort: 'ascending' | 'descending' | null;
}

export interface Table {
  readonly caption: string;
  readonly columns: readonly Heading[];
  /** Its first column has boxes that select records. */
  readonly selects: boolean;
  readonly rows: readonly (readonly Cell[])[];
  /** The text in place of an empty table. */
  readonly empty: string;
  readonly previous: Link | null;
  readonly next: Link | null;
}

export interface Field {
  readonly name: string;
  /** The id of the element. Forms on a page give fields of the same name different ids. */
  readonly id: string;
  /** Takes the whole width of the form. */
  readonly wide: boolean;
  readonly label: string;
  readonly hint: string | null;
  readonly error: string | null;
  readonly value: string;
  /** The value that the form was opened with; null: the field is always sent. */
  readonly was: string | null;
  readonly control: 'input' | 'textarea' | 'select' | 'file' | 'checkbox' | 'checks' | 'radios';
  readonly type: string;
  readonly options: readonly { readonly value: string; readonly text: string; readonly selected: boolean }[];
  readonly required: boolean;
  /** The HTML attribute. */
  readonly autocomplete: string;
  /** A link to the record that is the current value. */
  readonly link: Link | null;
  readonly image: string | null;
  /** The keyboard that touch screens show, such as `numeric`. */
  readonly inputmode: string;
  /** JSON text of an example. */
  readonly example: string | null;
  readonly picker: Picker | null;
  readonly upload: UploadField | null;
}

/** A search by name for the options of a reference. */
export interface Picker {
  /** The path that returns the form with the matches. */
  readonly action: string;
  /** The text that was searched for. */
  readonly text: string;
  /** The result in words; null: nothing was searched for. */
  readonly note: string | null;
  /** Options that are shown together. */
  readonly size: number;
}

/** An upload of a file from disk for a reference. */
export interface UploadField {
  /** The path that returns the form with the stored file. */
  readonly action: string;
  readonly part: string;
  readonly types: string;
}

export interface Form {
  /** Path that it is sent to; null for a form of a list, which is sent to the page itself. */
  readonly action: string | null;
  readonly submit: string;
  readonly tone: 'primary' | 'quiet' | 'danger';
  readonly fields: readonly Field[];
  readonly hidden: readonly { readonly name: string; readonly value: string }[];
  readonly upload: boolean;
  /** Its fields have buttons where there is no script; its own button then comes first, as Enter presses the first. */
  readonly finds: boolean;
  /** The id of the element, for fields that are elsewhere on the page; null: all fields are in the form. */
  readonly id: string | null;
  /** Further buttons, which send it to other paths. */
  readonly others: readonly { readonly submit: string; readonly action: string; readonly tone: Form['tone'] }[];
}

/** The id of the form for the boxes of a list that select records. */
export const SELECTION = 'chosen';

export interface Plot {
  readonly title: string;
  /** The last value, as text. */
  readonly latest: string;
  /** JSON for the browser's script: the unit, and the values with their times in seconds, oldest first. */
  readonly data: string;
}

export interface Section {
  readonly heading: string | null;
  readonly note: string | null;
  /** Why the section does not show what was asked for. */
  readonly warning: string | null;
  /** The label that opens the section; null: it is open. */
  readonly summary: string | null;
  readonly facts: readonly Fact[] | null;
  readonly table: Table | null;
  readonly form: Form | null;
  /** Small forms of one button each. */
  readonly buttons: readonly Form[];
  readonly links: readonly Link[];
  readonly plots: readonly Plot[] | null;
  /** A bar that shows how much is done. */
  readonly progress: { readonly label: string; readonly value: number; readonly max: number } | null;
  /** Seconds between two refreshes of the section; null: it is not refreshed. */
  readonly every: number | null;
  readonly id: string | null;
}

export interface PageView {
  readonly title: string;
  /** The pages above it. */
  readonly trail: readonly Link[];
  /** Links to related pages. */
  readonly links: readonly Link[];
  /** An error message. */
  readonly problem: string | null;
  /** A message of success. */
  readonly done: string | null;
  readonly sections: readonly Section[];
}

export function pageView(view: Pick<PageView, 'title' | 'sections'> & Partial<PageView>): PageView {
  return { trail: [], links: [], problem: null, done: null, ...view };
}

export function section(parts: Partial<Section>): Section {
  const none = { heading: null, note: null, warning: null, summary: null, facts: null, table: null, form: null };
  return { ...none, plots: null, progress: null, every: null, id: null, buttons: [], links: [], ...parts };
}

export function cell(text: string, more: Partial<Cell> = {}): Cell {
  const plain = { href: null, tone: null, code: false, image: null, long: false, time: null, lines: null, check: null };
  return { text, ...plain, button: null, ...more };
}

export function fact(label: string, value: Cell | string): Fact {
  return { label, cell: typeof value === 'string' ? cell(value) : value };
}

type TableParts = Pick<Table, 'caption' | 'rows'> &
  Partial<Omit<Table, 'columns'>> & { readonly columns: readonly (string | Heading)[] };

export function table({ columns, ...parts }: TableParts): Table {
  const headings = columns.map((one) => (typeof one === 'string' ? { text: one, href: null, sort: null } : one));
  return { empty: 'There are none.', previous: null, next: null, selects: false, columns: headings, ...parts };
}

/** A link to the page after the last of these items; null: there are no more. */
export function nextPage<T>(
  items: readonly T[],
  { limit, text = 'Next page' }: { readonly limit: number; readonly text?: string },
  parametersOf: (last: T) => Readonly<Record<string, string>>,
): Link | null {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return null;
  return { text, href: `?${new URLSearchParams(parametersOf(last))}` };
}

export function field(parts: Pick<Field, 'name' | 'label'> & Partial<Field>): Field {
  const blank = { hint: null, error: null, value: '', was: null, required: false, link: null, image: null };
  const none = { example: null, picker: null, upload: null };
  const id = `f-${parts.name}`;
  const autocomplete = parts.type === 'password' ? 'new-password' : 'off';
  const usual = { control: 'input', type: 'text', options: [], autocomplete, inputmode: 'text' } as const;
  return { ...blank, ...none, ...usual, id, wide: parts.control === 'textarea', ...parts };
}

export function form(parts: Pick<Form, 'submit'> & Partial<Form>): Form {
  const finds = parts.fields?.some(({ picker }) => picker !== null) === true;
  const none = { action: null, fields: [], hidden: [], upload: false, finds, id: null, others: [] };
  return { ...none, tone: 'primary', ...parts };
}

/** A form of one button. */
export function button(submit: string, action: string, values: Readonly<Record<string, string>> = {}): Form {
  const hidden = Object.entries(values).map(([name, value]) => ({ name, value }));
  return form({ submit, action, tone: 'quiet', hidden });
}

export function choices(values: readonly (readonly [string, string])[], chosen: string): Field['options'] {
  return values.map(([value, text]) => ({ value, text, selected: value === chosen }));
}

/** A field by which a list is narrowed to one of a few values. */
export function filterField(
  { value, ...parts }: Pick<Field, 'name' | 'label' | 'value'>,
  values: readonly (readonly [string, string])[],
): Field {
  return field({ ...parts, control: 'select', options: choices([['', 'any'], ...values], value) });
}

/** `2026-01-31 12:00:00 UTC`; a dash for null. */
export function timeText(milliseconds: number | null): string {
  return milliseconds === null ? '–' : `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A time, which the browser's script shows in the user's time zone, with how long ago it is. */
export function timeCell(milliseconds: number | null, more: Partial<Cell> = {}): Cell {
  const time = milliseconds === null ? null : new Date(milliseconds).toISOString();
  return cell(timeText(milliseconds), { time, ...more });
}

/** Labels of the properties that every record has. */
const LABELS: Readonly<Record<string, string>> = { date_created: 'Created', date_updated: 'Updated' };

/** Words that are not written in lower case, or not as the API writes them. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ...{ api: 'API', id: 'ID', pdf: 'PDF', sku: 'SKU', svg: 'SVG', uri: 'address', url: 'address', uv: 'UV' },
  ...{ email: 'e-mail' },
};

/** `has_proofed_top` as `Top proofed`, `sku_id` as `SKU`. */
export function labelOf(name: string): string {
  const known = LABELS[name];
  if (known !== undefined) return known;
  const plain = name
    .replace(/^_+/, '')
    .replace(/_id$/, '')
    .replace(/^has_proofed_(\w+)$/, '$1_proofed');
  const [first = '', ...others] = plain.split('_');
  const words = [first, ...others].map((word) => SPELLINGS[word] ?? word).join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** A value as a sentence quotes it. */
export function quotedText(value: string): string {
  return value === '' ? 'nothing' : `“${value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value}”`;
}

/** Characters of a value that a sentence quotes. */
const QUOTED = 100;
