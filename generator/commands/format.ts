// The command-line option that selects the output format of diagnostics.

import { Option } from 'commander';
import type { Format } from '../diagnostics/formats/report.js';

const FORMATS: readonly Format[] = ['text', 'json', 'github', 'sarif'];

export function formatOption(): Option {
  return new Option('--format <format>', 'output format of the mistakes').choices(FORMATS).default('text');
}
