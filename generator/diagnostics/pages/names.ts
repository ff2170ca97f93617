// Pages of the codes 03: names.
import { type Pages, yaml } from './page-type.js';

const PIECE = 'resource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\n';

/** A piece whose ledger knows a field "name", and a field "code" that was given up. */
function history(fields: string, retired = 7): string {
  const columns = `{"id": 2, "date_created": 3, "date_updated": 4, "name": 6}`;
  const entry = `{"number": 1, "columns": ${columns}, "retired": {"code": ${retired}}}`;
  const ledger = `{"next": 8, "resources": {"piece": ${entry}}}`;
  return `# spec/resources/piece.yaml\n${PIECE}fields:\n${fields}# spec/ledger.json\n${ledger}\n`;
}

export const NAMES: Pages<'03'> = {
  E0301: {
    why: 'Whoever knows the name of a resource knows its file.',
    wrong: yaml`
      # spec/resources/piece.yaml
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
  E0302: {
    why: 'A resource has one file; keys in a second one could contradict the first.',
    wrong: yaml`
      # spec/resources/piece.yaml
      resource: piece
      title: Piece
      summary: One.
      plural: pieces
      # spec/resources/token.yaml
      resource: piece
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
  E0303: {
    why: 'No file under spec/resources describes a resource of this name.',
    wrong: 'fields:\n  owner: { kind: reference, to: usr }\n',
    right: 'fields:\n  owner: { kind: reference, to: user }\n',
  },
  E0304: {
    why: 'Conventions are the keys below "conventions" in conventions.yaml.',
    wrong: yaml`
      # spec/conventions.yaml
      title: Example
      version: 1.0.0
      summary: An example.
      conventions:
        component: { fields: { name: text } }
      # spec/resources/piece.yaml
      resource: piece
      title: Piece
      summary: One.
      plural: pieces
      extends: compnent
    `,
    right: yaml`
      # spec/conventions.yaml
      title: Example
      version: 1.0.0
      summary: An example.
      conventions:
        component: { fields: { name: text } }
      # spec/resources/piece.yaml
      resource: piece
      title: Piece
      summary: One.
      plural: pieces
      extends: component
    `,
  },
  E0305: {
    why: 'Neither the resource nor the convention it extends has a field of this name. Texts and brief descriptions name columns and properties: a reference "user" is "user_id" there.',
    wrong: 'fields:\n  name: text\norder: [naem]\n',
    right: 'fields:\n  name: text\norder: [name]\n',
  },
  E0306: {
    why: 'Each name on the wire belongs to one field. An image "top" makes top_id, has_proofed_top and top; a reference "game" makes game_id and game.',
    wrong: 'fields:\n  top: image\n  top_id: text\n',
    right: 'fields:\n  top: image\n  top_code: text\n',
  },
  E0307: {
    why: 'The service or the generated code uses this name itself.',
    wrong: 'fields:\n  id: text\n',
    right: 'fields:\n  number: text\n',
  },
  E0308: {
    why: 'A count counts a list that hangs on the resource; such a list is made by the reference of another.',
    wrong: yaml`
      # spec/resources/piece.yaml
      resource: piece
      title: Piece
      summary: One.
      plural: pieces
      fields:
        total: { kind: computed, count: sides }
      # spec/resources/side.yaml
      resource: side
      title: Side
      summary: Side of a piece.
      plural: sides
      fields:
        piece: { kind: reference, to: piece }
    `,
    right: yaml`
      # spec/resources/piece.yaml
      resource: piece
      title: Piece
      summary: One.
      plural: pieces
      fields:
        total: { kind: computed, count: sides }
      # spec/resources/side.yaml
      resource: side
      title: Side
      summary: Side of a piece.
      plural: sides
      fields:
        piece: { kind: reference, to: piece, list: true }
    `,
  },
  E0309: {
    why: 'Lists, actions and references of a record share the paths below it, so each name stands there once.',
    wrong:
      'fields:\n  maker: { kind: reference, to: user, list: true }\n  buyer: { kind: reference, to: user, list: true }\n',
    right:
      'fields:\n  maker: { kind: reference, to: user, list: true }\n  buyer: { kind: reference, to: user, list: bought }\n',
  },
  E0310: {
    why: 'One path and operation belongs to one resource.',
    wrong: 'paths: { fetch: /api/piece }\n',
    right: 'paths: { fetch: /piece }\n',
  },
  E0311: {
    why: 'Two resources may share a path where an id tells them apart; what is created has no id yet.',
    wrong: 'paths: { create: /api/user }\n',
    right: 'paths: { fetch: /api/user }\n',
  },
  E0312: {
    why: 'Access is given by a word of the language, another right of the resource, a reference (whoever may edit its target, or the user it names) or a boolean field (while it is true).',
    wrong: 'fields:\n  designer: { kind: reference, to: user }\naccess: { edit: [desinger] }\n',
    right: 'fields:\n  designer: { kind: reference, to: user }\naccess: { edit: [designer] }\n',
  },
  E0313: {
    why: 'Views and actions name a right that stands under "access", or a word of the language.',
    wrong: 'fields:\n  note: { kind: text, view: downlod }\naccess: { download: anyone }\n',
    right: 'fields:\n  note: { kind: text, view: download }\naccess: { download: anyone }\n',
  },
  E0314: {
    why: '"self" is a user and the record of that user; records of other resources belong to users by a reference.',
    wrong: 'access: { edit: [self] }\n',
    right: 'fields:\n  owner: { kind: reference, to: user }\naccess: { edit: [owner] }\n',
  },
  E0315: {
    why: '"was" tells that a column or table goes on under a new name, so the old name must be free, or say what becomes of it.',
    wrong: history('  name: text\n  title: { kind: text, was: name }\n'),
    right: history('  title: { kind: text, was: name }\n'),
  },
  E0316: {
    why: 'The field is there, but of a kind that cannot serve here.',
    wrong: 'fields:\n  made: date\n  label: { kind: computed, copy: made }\n',
    right: 'fields:\n  code: text\n  label: { kind: computed, copy: code }\n',
  },
  E0317: {
    why: 'The ledger remembers names that were given up, with their stored values. Whether the old field is meant or a new one, only the author knows.',
    wrong: history('  name: text\n  code: text\n'),
    right: history('  name: text\n  code: { kind: text, was: null }\n'),
  },
  E0318: {
    why: '"was" names what the field was called when gen last ran. Nothing of this name has been there, or it was of another kind, whose values are kept in other columns.',
    wrong: history('  title: { kind: text, was: nmae }\n'),
    right: history('  title: { kind: text, was: name }\n'),
  },
  E0319: {
    why: 'The stored values of one earlier field can go on under one new name.',
    wrong: history('  title: { kind: text, was: name }\n  label: { kind: text, was: name }\n'),
    right: history('  title: { kind: text, was: name }\n  label: text\n'),
  },
  E0320: {
    why: 'Two branches have each given the next number to something new. The one that is deployed keeps it; without its entry the other gets a new one.',
    wrong: history('  name: text\n', 6),
    right: history('  name: text\n'),
  },
  E0321: {
    why: 'An image is sent as two parameters, the id of its file and the proof flag; a synonym stands for both, so it names neither.',
    wrong: 'fields:\n  face: { kind: image, synonyms: [top_id] }\n',
    right: 'fields:\n  face: { kind: image, synonyms: [top] }\n',
  },
};
