// `punchboard graph`: prints the entity diagram of a spec for Mermaid, one line for each pair of related resources.

import type { RawField, RawResource, RawSpec } from '../language/language.js';
import { columnsOf, mayBeEmpty, targetName } from '../model/kinds/kinds.js';
import { finish, type Register, withSpec } from './command.js';
import { withSpecOption } from './project.js';

export const registerGraph: Register = (program, io) => {
  withSpecOption(program.command('graph').description('print an entity diagram for Mermaid'))
    .option('--fields', 'include the stored fields of each resource', false)
    .addHelpText('after', '\nExit codes: 0 done; 1 mistakes in the descriptors; 2 wrong usage.')
    .action(({ spec: folder, fields }: { spec: string; fields: boolean }) =>
      finish(
        withSpec(folder, ({ spec }) => ({ code: 0, stdout: graph(spec, fields), stderr: '' })),
        io,
      ),
    );
};

/**
 * The diagram does not depend on the order of the files. A resource without relations is listed by itself.
 * @param fields whether to include the stored fields of each resource
 */
export function graph(spec: RawSpec, fields: boolean): string {
  const lines = spec.resources.flatMap((resource) => relations(resource, spec));
  // `  box ||--o{ piece : "label"`
  const related = new Set(lines.flatMap((line) => [line.split(' ')[2], line.split(' ')[4]]));
  const shown = spec.resources.filter(({ resource }) => fields || !related.has(resource));
  const entities = shown.flatMap((resource) => entity(resource, fields));
  return `${['erDiagram', ...entities, ...lines].join('\n')}\n`;
}

function entity({ resource, fields }: RawResource, shown: boolean): readonly string[] {
  if (!shown) return [`  ${resource}`];
  const stored = [...fields].flatMap(([name, field]) => attribute(name, field));
  return [`  ${resource} {`, '    id id PK', ...stored, '  }'];
}

function attribute(name: string, field: RawField): readonly string[] {
  const [column] = columnsOf(name, field);
  if (column === undefined) return [];
  return [column === name ? `    ${field.kind} ${name}` : `    id ${column} FK`];
}

/** One line for all references to the same target that are equally required, with all their names. */
function relations({ resource, fields }: RawResource, spec: RawSpec): readonly string[] {
  const uploads = spec.resources.find(({ upload }) => upload !== undefined)?.resource;
  const lines = new Map<string, string[]>();
  for (const [name, field] of fields) {
    const target = targetName(field, uploads);
    if (target === undefined) continue;
    const cardinality = mayBeEmpty(field) ? '|o' : '||';
    const line = `  ${target} ${cardinality}--o{ ${resource}`;
    lines.set(line, [...(lines.get(line) ?? []), name]);
  }
  return [...lines].map(([line, names]) => `${line} : "${names.join(', ')}"`);
}
