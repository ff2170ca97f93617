// Pages of the codes 02: the form of a descriptor.
import { type Pages, yaml } from './page-type.js';

export const FORM: Pages<'02'> = {
  E0201: {
    why: 'An unknown key is never ignored, because what it asks for would silently not happen.',
    wrong: 'fields:\n  name: { kind: text, requird: true }\n',
    right: 'fields:\n  name: { kind: text, required: true }\n',
  },
  E0202: {
    why: 'Each key takes values of one type, and text is not converted to another type.',
    wrong: 'fields:\n  name: { kind: text, required: yes please }\n',
    right: 'fields:\n  name: { kind: text, required: true }\n',
  },
  E0203: {
    why: 'The key accepts only a few words.',
    wrong: 'fields:\n  size: { kind: intger }\n',
    right: 'fields:\n  size: { kind: integer }\n',
  },
  E0204: {
    why: 'Nothing can be generated without this key, and it has no sensible default.',
    wrong: 'fields:\n  owner: { kind: reference }\n',
    right: 'fields:\n  owner: { kind: reference, to: user }\n',
  },
  E0205: {
    why: 'The number is outside the range of the key.',
    wrong: 'fields:\n  price: { kind: decimal, scale: 13 }\n',
    right: 'fields:\n  price: { kind: decimal, scale: 2 }\n',
  },
  E0206: {
    why: 'The value has the right type but not the required form, such as a path, a date or a media type.',
    wrong: 'sunset: soon\n',
    right: 'sunset: 2030-01-31\n',
  },
  E0207: {
    why: 'An empty list or text has no meaning; leave the key out instead.',
    wrong: 'identities: []\n',
    right: 'identities: [Small, Large]\n',
  },
  E0208: {
    why: 'The second one has no effect, so one of the two is probably a mistake.',
    wrong: 'identities: [Small, Large, Small]\n',
    right: 'identities: [Small, Large]\n',
  },
  E0209: {
    why: 'Names become columns, parameters, properties and paths, and this form is safe in all of them.',
    wrong: 'fields:\n  pieceName: text\n',
    right: 'fields:\n  piece_name: text\n',
  },
  E0210: {
    why: 'The key has no meaning for a field of this kind. The kind of the field may come from its convention.',
    wrong: 'fields:\n  free: { kind: boolean, max: 1 }\n',
    right: 'fields:\n  free: boolean\n',
  },
  E0211: {
    why: 'A field declares what it holds, unless the convention that the resource extends declares it.',
    wrong: 'fields:\n  name: { required: true }\n',
    right: 'fields:\n  name: { kind: text, required: true }\n',
  },
  E0212: {
    why: 'A computed field has one source: the copy of a field, the count of a list, or a text.',
    wrong: 'fields:\n  name: text\n  label: { kind: computed, copy: name, text: "{name}" }\n',
    right: 'fields:\n  name: text\n  label: { kind: computed, text: "{name}" }\n',
  },
  E0213: {
    why: 'A parameter of an action is a plain value that is validated and passed to the hand-written function. Pass a record by its id, as text.',
    wrong: yaml`
      actions:
        turn:
          title: Turn
          by: editor
          parameters:
            face: image
    `,
    right: yaml`
      actions:
        turn:
          title: Turn
          by: editor
          parameters:
            face_id: text
    `,
  },
  E0214: {
    why: 'The payload of an event is either the record of a resource or a value described by a JSON Schema.',
    wrong: yaml`
      # spec/events.yaml
      events:
        Joined:
          owner_class: User
          summary: Somebody has joined.
          payload: { record: user, schema: { type: object } }
      owner_classes: { User: user }
    `,
    right: yaml`
      # spec/events.yaml
      events:
        Joined:
          owner_class: User
          summary: Somebody has joined.
          payload: { record: user }
      owner_classes: { User: user }
    `,
  },
  E0215: {
    why: 'Parameters of an action are neither stored nor shown, so keys about columns and records have no meaning there.',
    wrong: yaml`
      actions:
        turn:
          title: Turn
          by: editor
          parameters:
            side: { kind: text, unique: true }
    `,
    right: yaml`
      actions:
        turn:
          title: Turn
          by: editor
          parameters:
            side: { kind: text, required: true }
    `,
  },
};
