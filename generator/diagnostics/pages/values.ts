// Pages of the codes 04: values.
import { type Pages, yaml } from './page-type.js';

export const VALUES: Pages<'04'> = {
  E0401: {
    why: 'Defaults, examples and conditions obey the rules of their field: the service does not store what a caller could not send.',
    wrong: 'fields:\n  quantity: { kind: integer, min: 1, max: 99, default: 100 }\n',
    right: 'fields:\n  quantity: { kind: integer, min: 1, max: 99, default: 1 }\n',
  },
  E0402: {
    why: 'No value could satisfy both limits. One of them may come from the convention.',
    wrong: 'fields:\n  quantity: { kind: integer, min: 99, max: 1 }\n',
    right: 'fields:\n  quantity: { kind: integer, min: 1, max: 99 }\n',
  },
  E0403: {
    why: 'Conditions and defaults choose from the identities that the resource lists.',
    wrong: 'identities: [Small, Large]\ndefault_identity: Larg\n',
    right: 'identities: [Small, Large]\ndefault_identity: Large\n',
  },
  E0404: {
    why: 'Without identities there is nothing to choose a default from.',
    wrong: 'default_identity: Large\n',
    right: 'identities: [Small, Large]\ndefault_identity: Large\n',
  },
  E0405: {
    why: 'Decimals are stored as text and checked digit by digit, which needs limits without a sign or fraction.',
    wrong: 'fields:\n  share: { kind: decimal, min: -1, max: 100 }\n',
    right: 'fields:\n  share: { kind: decimal, min: 0, max: 100 }\n',
  },
  E0406: {
    why: 'When the target is deleted, set_null would empty a field that must not be empty.',
    wrong: 'fields:\n  owner: { kind: reference, to: user, required: true, on_delete: set_null }\n',
    right: 'fields:\n  owner: { kind: reference, to: user, required: true, on_delete: cascade }\n',
  },
  E0407: {
    why: 'Callers cannot send a field that the service sets, so keys about sending it have no meaning.',
    wrong: 'fields:\n  key: { kind: text, from: random, required: true }\n',
    right: 'fields:\n  key: { kind: text, from: random }\n',
  },
  E0408: {
    why: 'Each source provides values of one kind.',
    wrong: yaml`
      # spec/resources/file.yaml
      resource: file
      title: File
      summary: A file.
      plural: files
      upload: { part: file, max_bytes: 1000 }
      fields:
        size: { kind: text, from: upload.size }
    `,
    right: yaml`
      # spec/resources/file.yaml
      resource: file
      title: File
      summary: A file.
      plural: files
      upload: { part: file, max_bytes: 1000 }
      fields:
        size: { kind: integer, from: upload.size }
    `,
  },
  E0409: {
    why: 'A deprecation is announced before the sunset removes anything, never the other way round.',
    wrong: 'deprecated: 2030-01-01\nsunset: 2029-01-01\n',
    right: 'deprecated: 2030-01-01\nsunset: 2031-01-01\n',
  },
  E0410: {
    why: 'The value of a JSON field and the payload of an event are checked against this schema (draft 2020-12), so it must compile.',
    wrong: 'fields:\n  items: { kind: json, schema: { type: lst } }\n',
    right: 'fields:\n  items: { kind: json, schema: { type: array } }\n',
  },
  E0411: {
    why: 'All allowed values must be of the kind of the field.',
    wrong: 'fields:\n  pages: { kind: integer, values: [40, sixty] }\n',
    right: 'fields:\n  pages: { kind: integer, values: [40, 60] }\n',
  },
  E0412: {
    why: 'A copy visible to more callers than its source would reveal what the source hides.',
    wrong: 'fields:\n  cost: { kind: decimal, view: editor }\n  price: { kind: computed, copy: cost }\n',
    right: 'fields:\n  cost: { kind: decimal, view: editor }\n  price: { kind: computed, copy: cost, view: editor }\n',
  },
  E0413: {
    why: 'A caller who can filter or order by a value can work it out without seeing it.',
    wrong: 'fields:\n  cost: { kind: decimal, view: editor, filter: true }\n',
    right: 'fields:\n  cost: { kind: decimal, view: editor }\n',
  },
  E0414: {
    why: 'Once every value is taken, nobody can ever create another record.',
    wrong: 'fields:\n  colour: { kind: enum, values: [red, blue], unique: true }\n',
    right: 'fields:\n  colour: { kind: enum, values: [red, blue] }\n',
  },
  E0415: {
    why: 'Values that the service fills in must satisfy the limits of the field too, or they could not be stored.',
    wrong: 'fields:\n  key: { kind: text, max: 5, from: random }\n',
    right: 'fields:\n  key: { kind: text, from: random }\n',
  },
  E0416: {
    why: 'The first record without a value gets the default, and every further one is refused as a duplicate.',
    wrong: 'fields:\n  code: { kind: text, unique: true, default: none }\n',
    right: 'fields:\n  code: { kind: text, unique: true }\n',
  },
};
