// Says where an edit of a generated file belongs: in the descriptor, or in which hand-written function.

/** The parts of a resource's file: the line each begins with, and where its content comes from. `*` is the resource's name. */
const PARTS: readonly (readonly [begins: RegExp, place: string])[] = [
  [/^\/\/ Types$/, 'the fields of spec/resources/*.yaml'],
  [/^\/\/ Parameters$/, 'the fields and actions of spec/resources/*.yaml'],
  [
    /^function create\b/,
    'the function beforeCreate of runtime/resources/*.ts, once spec/resources/*.yaml declares `lifecycle: [beforeCreate]`',
  ],
  [
    /^function update\b/,
    'the function beforeUpdate of runtime/resources/*.ts, once spec/resources/*.yaml declares `lifecycle: [beforeUpdate]`',
  ],
  [/^ {2}(columns|properties): \{$/, 'the fields of spec/resources/*.yaml: a value from elsewhere is `kind: computed`'],
  [
    /^\/\/ Definition$/,
    'the keys of spec/resources/*.yaml, such as access and actions; what an action does, in runtime/resources/*.ts',
  ],
];

/** Outputs that are not divided into parts. */
const FILES: readonly (readonly [path: RegExp, place: string])[] = [
  [
    /^validators\/_events\.ts$|^events\.ts$/,
    'the payloads of spec/events.yaml; what publishes an event, in a lifecycle function or action of runtime/resources/',
  ],
  [
    /^validators\/([^/]+)\.ts$/,
    'the limits of the fields in spec/resources/*.yaml; a rule between fields, in beforeCreate and beforeUpdate of runtime/resources/*.ts',
  ],
  [
    /^resources\/([^/]+)\.ts$/,
    'spec/resources/*.yaml; behaviour that a descriptor cannot express, in a lifecycle function or action of runtime/resources/*.ts',
  ],
  [/^tests\/_project\.ts$/, 'the descriptors in spec/'],
  [/^tests\/([^/.]+)(?:\.test)?\.ts$/, 'spec/resources/*.yaml; a test of your own goes into a file below tests/'],
  [/^behaviour\.ts$/, '`lifecycle` and `actions` of spec/resources/; the functions themselves, in runtime/resources/'],
  [/^schema\.(json|sql)$/, 'the fields of spec/resources/, which determine the tables'],
  [/^openapi\.json$/, 'spec/resources/, where the descriptions and examples of the document come from'],
];

export interface Edit {
  readonly path: string;
  readonly edited: string;
  readonly generated: string;
}

const ANYWHERE = 'the descriptors in spec/';

/**
 * @param edit path below the output folder, and the text as edited and as generated
 * @param spec name of the spec folder
 * @returns a sentence with the key or function where the first edited line belongs
 */
export function editHint({ path, edited, generated }: Edit, spec: string): string {
  const [row, resource = ''] = FILES.flatMap(([pattern, place]) => {
    const match = pattern.exec(path);
    return match === null ? [] : [[place, match[1]] as const];
  })[0] ?? [ANYWHERE];
  const place = path.startsWith('resources/') ? (partOf(edited, generated) ?? row) : row;
  return `This belongs in ${place.replaceAll('*', resource).replaceAll('spec/', `${spec}/`)}.`;
}

/** The part that contains the first edited line; null if the line precedes all parts. */
function partOf(edited: string, generated: string): string | null {
  const [lines, others] = [edited.split('\n'), generated.split('\n')];
  const first = lines.findIndex((line, at) => line !== others[at]);
  const before = lines.slice(0, first < 0 ? lines.length : first + 1).reverse();
  for (const line of before) {
    const part = PARTS.find(([begins]) => begins.test(line));
    if (part !== undefined) return part[1];
  }
  return null;
}
