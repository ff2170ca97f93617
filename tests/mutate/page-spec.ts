// The project of spec/README.md as a folder. It has keys that the descriptors of this service do not use, such as sums,
// conditional unique sets, and rights that follow from the target of a reference.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { descriptors } from '../readme/descriptors.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

/** @returns the path of a new spec folder */
export function pageSpec(): string {
  const folder = temporaryFolder('page-spec');
  for (const { path, text } of descriptors(readFileSync(join(ROOT, 'spec', 'README.md'), 'utf8'))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return join(folder, 'spec');
}
