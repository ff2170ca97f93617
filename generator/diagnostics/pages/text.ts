// Pages of the codes 01: the text of a file.
import { type Pages, yaml } from './page-type.js';

export const TEXT: Pages<'01'> = {
  E0101: {
    why: 'A descriptor is YAML 1.2. The parser stopped at the place shown; the mistake is often just before it, such as a ":" without a space after it.',
    wrong: 'fields:\n  name: { kind: text }\norder name\n',
    right: 'fields:\n  name: { kind: text }\norder: [name]\n',
  },
  E0102: {
    why: 'A map holds each key once. Only one of two values could count, and a reader could not tell which.',
    wrong: yaml`
      fields:
        name: text
        name: { kind: text, max: 40 }
    `,
    right: yaml`
      fields:
        name: { kind: text, max: 40 }
    `,
  },
  E0103: {
    why: 'YAML is indented with spaces only, because every editor shows tabs at a width of its own.',
    wrong: 'fields:\n\tname: text\n',
    right: 'fields:\n  name: text\n',
  },
  E0104: {
    why: 'Each file describes one resource and is named after it, so that it can be found by its name.',
    wrong: yaml`
      # spec/resources/piece.yaml
      resource: piece
      title: Piece
      summary: One.
      plural: pieces
      ---
      resource: token
      title: Token
      summary: One.
      plural: tokens
    `,
    right: yaml`
      # spec/resources/piece.yaml
      resource: piece
      title: Piece
      summary: One.
      plural: pieces
      # spec/resources/token.yaml
      resource: token
      title: Token
      summary: One.
      plural: tokens
    `,
  },
  E0105: {
    why: 'A file that holds only comments describes nothing, and is probably unfinished.',
    wrong: yaml`
      # spec/resources/token.yaml
      # to be written
    `,
    right: yaml`
      # spec/resources/token.yaml
      resource: token
      title: Token
      summary: One.
      plural: tokens
    `,
  },
  E0106: {
    why: 'Every file of a spec is a map of keys and values, never a list or a single value.',
    wrong: yaml`
      # spec/resources/token.yaml
      - resource: token
      - title: Token
    `,
    right: yaml`
      # spec/resources/token.yaml
      resource: token
      title: Token
      summary: One.
      plural: tokens
    `,
  },
  E0107: {
    why: 'What several fields or resources share goes into a convention, where it has a name; an alias would hide it.',
    wrong: yaml`
      fields:
        name: &short { kind: text, max: 40 }
        note: *short
    `,
    right: yaml`
      fields:
        name: { kind: text, max: 40 }
        note: { kind: text, max: 40 }
    `,
  },
  E0108: {
    why: 'Keys are names, and a list or a map is not a name.',
    wrong: yaml`
      fields:
        ? [name, note]
        : text
    `,
    right: yaml`
      fields:
        name: text
        note: text
    `,
  },
  E0109: {
    why: 'The file contains bytes that are not UTF-8, or characters that cannot be seen. The encoding is wrong (UTF-16, Latin-1) or the file is damaged.',
    wrong: 'fields:\n  name: { kind: text, description: Name of the caf\ufffd. }\n',
    right: 'fields:\n  name: { kind: text, description: Name of the café. }\n',
  },
  E0110: {
    why: 'The language has no tags: the key determines what its value means.',
    wrong: yaml`
      fields:
        name: !secret text
    `,
    right: yaml`
      fields:
        name: { kind: text, view: nobody }
    `,
  },
  E0111: {
    why: 'gen would not read this file, so what it describes would have no effect.',
    wrong: yaml`
      # spec/token.yaml
      resource: token
      title: Token
      summary: One.
      plural: tokens
    `,
    right: yaml`
      # spec/resources/token.yaml
      resource: token
      title: Token
      summary: One.
      plural: tokens
    `,
  },
  E0112: {
    why: 'No descriptor needs to be nested this deeply, and text like this can crash a parser.',
    wrong: `fields:\n  grid: { kind: json, default: ${'['.repeat(61)}${']'.repeat(61)} }\n`,
    right: 'fields:\n  grid: { kind: json, default: [] }\n',
  },
  E0113: {
    why: 'The keys of one map start in the same column. A key that is further in or further out than the others belongs to no map.',
    wrong: 'fields:\n  name: text\n   note: text\n',
    right: 'fields:\n  name: text\n  note: text\n',
  },
  E0114: {
    why: 'A quote or bracket that is never closed takes in the lines that follow. It is reported where it opens.',
    wrong: 'fields:\n  name: { kind: text, max: 40\n',
    right: 'fields:\n  name: { kind: text, max: 40 }\n',
  },
};
