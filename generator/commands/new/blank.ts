// Writes a descriptor with the keys that most resources need, each with a comment.

import { KINDS } from '../../model/kinds/kinds.js';
import { head, titleOf } from './head.js';
import type { SpecSummary } from './spec-summary.js';

export function blank(name: string, { conventions, principal, hasUploads }: SpecSummary): string {
  const shared =
    conventions.length === 0
      ? ''
      : `# Keys that many resources share: ${conventions.join(', ')}.\n# extends: ${conventions[0]}\n`;
  const owner =
    principal === null
      ? ''
      : `  # Whoever creates a record owns it.\n  ${principal}: { kind: reference, to: ${principal}, default: session.user, place: true, list: true, description: User who owns the record. }\n`;
  const image = hasUploads
    ? `  # An image adds top_id and has_proofed_top.\n  # top: { kind: image, description: Image printed on the top. }\n`
    : '';
  const edit = principal === null ? '' : `, edit: [${principal}]`;
  return `${head(name)}${shared}fields:
  # Kinds: ${KINDS.join(', ')}.
  name: { kind: text, required: true, max: 255, description: Name of the ${titleOf(name).toLowerCase()}. }
${owner}${image}# Who may read and who may edit; without this key anyone reads and administrators edit.
access: { read: anyone${edit} }
`;
}
