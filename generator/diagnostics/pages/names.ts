// Pages of the codes 03: names.
import { type Pages, yaml } from './page-type.js';

const PIECE = 'resource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\n';

/** A piece whose ledger knows a field "name", and a field "code" that was removed. */
/** A piece that had a name when gen last ran, and a code before that. */
export function history(fields: string, retired = 7): string {
  const columns = `{"id": 2, "date_created": 3, "date_updated": 4, "name": 6}`;
  const entry = `{"number": 1, "columns": ${columns}, "retired": {"code": ${retired}}}`;
  const ledger = `{"next": 8, "resources": {"piece": ${entry}}}`;
  return `# spec/resources/piece.yaml\n${PIECE}fields:\n${fields}# spec/ledger.json\n${ledger}\n`;
}

export const NAMES: Pages<'03'> = {
  E0301: {
    why: 'If you know the name of a resource, you know its file.',
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
    why: 'A resource has one file; a second one could contradict it.',
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
    why: 'Each name in the API belongs to one field. An image "top" produces top_id, has_proofed_top and top; a reference "game" produces game_id and game.',
    wrong: 'fields:\n  top: image\n  top_id: text\n',
    right: 'fields:\n  top: image\n  top_code: text\n',
  },
  E0307: {
    why: 'The service or the generated code uses this name for something else.',
    wrong: 'fields:\n  id: text\n',
    right: 'fields:\n  number: text\n',
  },
  E0308: {
    why: 'A count counts a list of the resource, and such a list comes from the reference of another resource.',
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
    why: 'The lists, actions and references of a record share the paths below it, so each needs a name of its own. A list with "list: true" is named by the plural of its resource.',
    wrong:
      'fields:\n  maker: { kind: reference, to: user, list: true }\n  buyer: { kind: reference, to: user, list: true }\n',
    right:
      'fields:\n  maker: { kind: reference, to: user, list: true }\n  buyer: { kind: reference, to: user, list: bought }\n',
  },
  E0310: {
    why: 'A path and operation together belong to one resource.',
    wrong: 'paths: { fetch: /api/piece }\n',
    right: 'paths: { fetch: /piece }\n',
  },
  E0311: {
    why: 'Two resources may share a path where an id tells them apart, but a record that is being created has no id yet.',
    wrong: 'paths: { create: /api/user }\n',
    right: 'paths: { fetch: /api/user }\n',
  },
  E0312: {
    why: 'Access is given by a word of the language, another right of the resource, a reference (whoever may edit its target, or the user it names) or a boolean field (while it is true).',
    wrong: 'fields:\n  designer: { kind: reference, to: user }\naccess: { edit: [desinger] }\n',
    right: 'fields:\n  designer: { kind: reference, to: user }\naccess: { edit: [designer] }\n',
  },
  E0313: {
    why: 'Views and actions name a right declared under "access", or a word of the language.',
    wrong: 'fields:\n  note: { kind: text, view: downlod }\naccess: { download: anyone }\n',
    right: 'fields:\n  note: { kind: text, view: download }\naccess: { download: anyone }\n',
  },
  E0314: {
    why: '"self" means that a user is the record. Records of other resources belong to a user through a reference.',
    wrong: 'access: { edit: [self] }\n',
    right: 'fields:\n  owner: { kind: reference, to: user }\naccess: { edit: [owner] }\n',
  },
  E0315: {
    why: '"was" says that a column or table continues under a new name, so nothing else may use the old name without saying what it is.',
    wrong: history('  name: text\n  title: { kind: text, was: name }\n'),
    right: history('  title: { kind: text, was: name }\n'),
  },
  E0316: {
    why: 'The field exists, but its kind cannot be used here.',
    wrong: 'fields:\n  made: date\n  label: { kind: computed, copy: made }\n',
    right: 'fields:\n  code: text\n  label: { kind: computed, copy: code }\n',
  },
  E0317: {
    why: 'The ledger remembers removed names, whose values may still be stored. Only the author knows whether this is the old field or a new one.',
    wrong: history('  name: text\n  code: text\n'),
    right: history('  name: text\n  code: { kind: text, was: null }\n'),
  },
  E0318: {
    why: '"was" is the name of the field when gen last ran. Either nothing had this name, or it was of another kind, whose values are stored in other columns.',
    wrong: history('  title: { kind: text, was: nmae }\n'),
    right: history('  title: { kind: text, was: name }\n'),
  },
  E0319: {
    why: 'The stored values of one earlier field can continue under one new name only.',
    wrong: history('  title: { kind: text, was: name }\n  label: { kind: text, was: name }\n'),
    right: history('  title: { kind: text, was: name }\n  label: text\n'),
  },
  E0320: {
    why: 'Two branches each assigned the next number to something new. What is deployed keeps it; once its entry is removed, the other gets a new one.',
    wrong: history('  name: text\n', 6),
    right: history('  name: text\n'),
  },
  E0321: {
    why: 'An image is sent as two parameters, the id of its file and the proof flag. A synonym applies to both, so it must have neither the prefix nor the suffix of one.',
    wrong: 'fields:\n  face: { kind: image, synonyms: [top_id] }\n',
    right: 'fields:\n  face: { kind: image, synonyms: [top] }\n',
  },
};
