// Pages of the codes 01: the text of a file.
import { type Pages, yaml } from './page-type.js';

export const TEXT: Pages<'01'> = {
  E0101: {
    why: 'A descriptor is YAML 1.2. The parser stopped at the place shown; what is wrong often stands just before it: an open bracket or quote, or a ":" without a space behind it.',
    wrong: yaml`
      fields:
        name: { kind: text, max: 40
    `,
    right: yaml`
      fields:
        name: { kind: text, max: 40 }
    `,
  },
  E0102: {
    why: 'A map says each key once. Of two values only one could count, and a reader could not know which.',
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
    why: 'YAML indents with spaces alone; how wide a tab is, every editor decides for itself.',
    wrong: 'fields:\n\tname: text\n',
    right: 'fields:\n  name: text\n',
  },
  E0104: {
    why: 'One file describes one resource and is named after it, so that it is found by its name.',
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
    why: 'A file of comments alone describes nothing. It is more likely half written than meant.',
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
    why: 'Every file of a spec is a map: keys with values. A list or a single value has no place in the language.',
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
    why: 'What several fields or resources share stands in a convention, where it has a name; aliases would hide it.',
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
    why: 'Keys are names. A list or a map as a key names nothing.',
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
    why: 'The file holds bytes that are no UTF-8 text, or characters that cannot be seen. Both come from a wrong encoding or a damaged file.',
    wrong: 'fields:\n  name: { kind: text, description: Name of the caf\ufffd. }\n',
    right: 'fields:\n  name: { kind: text, description: Name of the café. }\n',
  },
  E0110: {
    why: 'The language has no tags: what a value is follows from the key it stands at.',
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
    why: 'A file that gen does not read would be a description without effect, so it is refused.',
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
    why: 'No descriptor needs such depth; text like this hurts parsers.',
    wrong: `fields:\n  grid: { kind: json, default: ${'['.repeat(61)}${']'.repeat(61)} }\n`,
    right: 'fields:\n  grid: { kind: json, default: [] }\n',
  },
};
