// The project of spec/README.md as a folder. It has keys that the descriptors of this service do not use, such as sums,
// conditional unique sets, and rights that follow from the target of a reference.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { descriptors } from '../readme/descriptors.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';

/** @returns the path of a new spec folder */
export function pageSpec(): string {
  const folder = temporaryFolder('page-spec');
  writeFiles(folder, descriptors(readFileSync(join(ROOT, 'spec', 'README.md'), 'utf8')));
  return join(folder, 'spec');
}
