// The formats of a report, by the value of --format. A new format is a new row.

import type { Report } from '../report.js';
import { json } from './json.js';
import { markdown } from './markdown.js';
import { text } from './text.js';

export interface ReportContext {
  /** The ref, as the user typed it. */
  readonly base: string;
  readonly spec: string;
}

export type Format = 'text' | 'markdown' | 'json';

export const FORMATS: Readonly<Record<Format, (report: Report, compared: ReportContext) => string>> = {
  text,
  markdown,
  json,
};
