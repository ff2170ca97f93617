// Turns the example of a page into the files of a small project.
import type { SourceFile } from '../../generator/load/load.js';

const BASE: readonly SourceFile[] = [
  { path: 'spec/conventions.yaml', text: 'title: Test\nversion: 1.0.0\nsummary: Test.\n' },
  {
    path: 'spec/resources/user.yaml',
    text:
      'resource: user\ntitle: User\nsummary: Somebody.\nplural: users\nprincipal: true\nfields:\n' +
      '  username: { kind: text, required: true, unique: true }\n  password: { kind: password, required: true }\n',
  },
  {
    path: 'spec/resources/file.yaml',
    text:
      'resource: file\ntitle: File\nsummary: A file.\nplural: files\nupload: { part: file, max_bytes: 1000 }\n' +
      'brief: [id, name]\nfields:\n  name: { kind: text, default: upload.name }\n' +
      '  file_type: { kind: text, from: upload.type }\n' +
      '  content_hash: { kind: text, from: upload.hash, view: nobody }\n' +
      '  access_key: { kind: text, from: random, view: nobody }\n',
  },
];
const HEAD = 'resource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\n';

/** The example has whole files below lines `# spec/...`, or else what follows the first four keys of a descriptor. */
export function filesOf(example: string): SourceFile[] {
  const absent = [...example.matchAll(/^# (spec\/\S+) is not there$/gm)].map(([, path]) => path);
  const parts = example.split(/^(?=# spec\/\S+$)/m).filter((part) => /^# spec\/\S+$/m.test(part));
  const own = parts.map((part) => {
    const [, path = '', text = ''] = /^# (\S+)\n([\s\S]*)$/.exec(part) ?? [];
    return { path, text };
  });
  const piece =
    parts.length > 0 || absent.length > 0 ? [] : [{ path: 'spec/resources/piece.yaml', text: HEAD + example }];
  const taken = new Set([...own.map(({ path }) => path), ...absent]);
  return [...BASE.filter(({ path }) => !taken.has(path)), ...own, ...piece];
}
