// The option by which commands are told the form of their diagnostics.

import { Option } from 'commander';
import type { Format } from '../diagnostics/formats/report.js';

const FORMATS: readonly Format[] = ['text', 'json', 'github', 'sarif'];

export function formatOption(): Option {
  return new Option('--format <form>', 'how mistakes are told, to people or to machines')
    .choices(FORMATS)
    .default('text');
}
