// A token: random text by which a program authenticates itself. A hash is stored; the text is shown once, when it is created.

import type { RawField } from '../../language/language.js';
import { type FieldKind, type FieldParts, KEYS, PLAIN } from './kind.js';

/** The id of a record, followed by random text. */
const EXAMPLE = '0a01kmz3b5wqd7c8r9t2v4x6y8.kJ4x0pQm7tYw2bR9sVd5kLhG3nZ';

export const token: FieldKind = {
  ...PLAIN,
  makes:
    'A random text that starts with the id of the record: shown by the response that creates it and by the action of its name, which renews it, and stored as a hash.',
  keys: [...KEYS.shown.filter((key) => key !== 'view'), 'was'],
  secret: true,
  renewed: true,
  sortable: false,
  literalDefaults: false,
  view: 'anyone',
  expects: () => 'a text',
  schema,
  validationSchema: schema,
  shown: schema,
  example: () => EXAMPLE,
  // Older records, and copies, have no token until one is requested.
  mayBeEmpty: () => true,
  expand,
};

function schema() {
  return { type: 'string' };
}

function expand(name: string, field: RawField): FieldParts {
  const initial = { from: 'new_token' } as const;
  return {
    columns: [
      {
        name,
        storage: 'text',
        kind: 'token',
        nullable: true,
        default: null,
        check: null,
        references: null,
        write: { by: 'service', initial, update: 'kept' },
        sortable: false,
        copies: null,
      },
    ],
    properties: [
      {
        name,
        description: field.description ?? '',
        schema: schema(),
        view: 'created',
        source: { kind: 'shown_once', column: name },
        nullable: false,
        whenSet: true,
        example: field.example ?? EXAMPLE,
      },
    ],
    actions: [
      {
        name,
        title: `Make a new ${name.replaceAll('_', ' ')}`,
        by: 'editor',
        parameters: [],
        sets: null,
        copies: null,
        reads: {},
        renews: name,
        method: 'POST',
        segment: name,
      },
    ],
  };
}
