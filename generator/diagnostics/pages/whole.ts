// Pages of the codes 05, the spec as a whole, and 06, what is allowed but probably unintended.
import { history } from './names.js';
import { type Pages, yaml } from './page-type.js';

const USER = 'resource: user\ntitle: User\nsummary: Somebody.\nplural: users\n';
const FILE = 'resource: file\ntitle: File\nsummary: A file.\nplural: files\n';
const BOX = 'resource: box\ntitle: Box\nsummary: A box.\nplural: boxes\n';
const SHARE = 'resource: share\ntitle: Share\nsummary: Who may work on a box.\nplural: shares\n';
const PIECE = 'resource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\n';
const SERVICE = 'title: Example\nversion: 1.0.0\nsummary: An example.\n';

const JOINED = `events:
  Joined: { owner_class: User, summary: Somebody has joined. }
  Left: { owner_class: User, summary: Somebody has left. }
owner_classes: { User: user }
`;

/** Several files as one example. */
const files = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([name, text]) => `# spec/${name}.yaml\n${text}`)
    .join('');

const member = (fields: string): string =>
  files({
    'resources/piece': `${PIECE}fields:\n  box: { kind: reference, to: box }\naccess:\n  edit: [{ member: share, by: box }]\n`,
    'resources/box': BOX,
    'resources/share': `${SHARE}fields:\n${fields}`,
  });

const placed = (boxFields: string): string =>
  files({
    'resources/piece': `${PIECE}fields:\n  box: { kind: reference, to: box, required: true, place: true }\n`,
    'resources/box': `${BOX}fields:\n  ${boxFields}\n`,
  });

export const WHOLE: Pages<'05' | '06'> = {
  E0501: {
    why: 'Sessions belong to the records of one resource, so that somebody can log in.',
    wrong: files({ 'resources/user': USER }),
    right: files({ 'resources/user': `${USER}principal: true\n` }),
  },
  E0502: {
    why: 'Sessions belong to the records of one resource, so there can be only one principal.',
    wrong: 'principal: true\n',
    right: yaml`
      fields:
        owner: { kind: reference, to: user }
    `,
  },
  E0503: {
    why: 'Image and file fields refer to the one resource that stores uploads.',
    wrong: 'upload: { part: scan, max_bytes: 1000 }\n',
    right: 'fields:\n  scan: image\n',
  },
  E0504: {
    why: 'An image or a file is a reference to an upload, and nothing here stores uploads.',
    wrong: files({ 'resources/file': FILE, 'resources/piece': `${PIECE}fields:\n  top: image\n` }),
    right: files({
      'resources/file': `${FILE}upload: { part: file, max_bytes: 1000 }\n`,
      'resources/piece': `${PIECE}fields:\n  top: image\n`,
    }),
  },
  E0505: {
    why: 'A record has one owner, so only one reference can lead to it.',
    wrong: yaml`
      fields:
        user: { kind: reference, to: user, required: true, place: true }
        buyer: { kind: reference, to: user, required: true, place: true }
    `,
    right: yaml`
      fields:
        user: { kind: reference, to: user, required: true, place: true }
        buyer: { kind: reference, to: user, required: true }
    `,
  },
  E0506: {
    why: 'Following placement from record to record must end at an owner.',
    wrong: placed('piece: { kind: reference, to: piece, required: true, place: true }'),
    right: placed('user: { kind: reference, to: user, required: true, place: true }'),
  },
  E0507: {
    why: 'The owner of a record is found by following placement to a user.',
    wrong: placed('name: text'),
    right: placed('user: { kind: reference, to: user, required: true, place: true }'),
  },
  E0508: {
    why: 'Access that is passed from record to record must start somewhere.',
    wrong: 'fields:\n  next: { kind: reference, to: piece }\naccess: { edit: [next] }\n',
    right:
      'fields:\n  next: { kind: reference, to: piece }\n  user: { kind: reference, to: user }\naccess: { edit: [user] }\n',
  },
  E0509: {
    why: 'The owners of two records can be compared only if both have one: give each a reference with "place: true".',
    wrong: files({
      'resources/piece': `${PIECE}fields:\n  box: { kind: reference, to: box, inside: true }\n`,
      'resources/box': `${BOX}fields:\n  user: { kind: reference, to: user, place: true, default: session.user }\n`,
    }),
    right: files({
      'resources/piece': `${PIECE}fields:\n  user: { kind: reference, to: user, place: true, default: session.user }\n  box: { kind: reference, to: box, inside: true }\n`,
      'resources/box': `${BOX}fields:\n  user: { kind: reference, to: user, place: true, default: session.user }\n`,
    }),
  },
  E0510: {
    why: 'The name, type and size of an upload are known only where uploads are stored.',
    wrong: 'fields:\n  name: { kind: text, default: upload.name }\n',
    right: 'fields:\n  top: file\n  name: text\n',
  },
  E0511: {
    why: 'A joining resource grants access to the user its record refers to, so it needs a reference to a user.',
    wrong: member('  box: { kind: reference, to: box }\n'),
    right: member('  box: { kind: reference, to: box }\n  user: { kind: reference, to: user }\n'),
  },
  E0512: {
    why: 'With two references to users it is not clear which user is granted access.',
    wrong: member(
      '  box: { kind: reference, to: box }\n  buyer: { kind: reference, to: user }\n  seller: { kind: reference, to: user }\n',
    ),
    right: member('  box: { kind: reference, to: box }\n  seller: { kind: reference, to: user }\n'),
  },
  E0513: {
    why: 'A record without placement would have no owner.',
    wrong: 'fields:\n  user: { kind: reference, to: user, place: true }\n',
    right: 'fields:\n  user: { kind: reference, to: user, place: true, required: true }\n',
  },
  E0514: {
    why: 'The record and the joining record are matched by the id in this reference, so both must refer to the same resource.',
    wrong: member('  box: { kind: reference, to: piece }\n  user: { kind: reference, to: user }\n'),
    right: member('  box: { kind: reference, to: box }\n  user: { kind: reference, to: user }\n'),
  },
  E0515: {
    why: 'session.user is the caller, and a reference to another resource cannot hold it.',
    wrong: 'fields:\n  owner: { kind: reference, to: file, default: session.user }\n',
    right: 'fields:\n  owner: { kind: reference, to: user, default: session.user }\n',
  },
  E0516: {
    why: 'conventions.yaml names the service; its title, version and summary appear at the top of the API document.',
    wrong: '# spec/conventions.yaml is not there\n',
    right: files({ conventions: SERVICE }),
  },
  W0601: {
    why: 'A convention that no resource extends has no effect. It may be a leftover, or an "extends" was forgotten.',
    wrong: files({ conventions: `${SERVICE}conventions:\n  page: { fields: { name: text } }\n` }),
    right: files({
      conventions: `${SERVICE}conventions:\n  page: { fields: { name: text } }\n`,
      'resources/piece': `${PIECE}extends: page\n`,
    }),
  },
  W0602: {
    why: 'A field whose values are events, such as the one a web hook subscribes with, lists events by name. Nothing is ever published under another name.',
    wrong: files({
      events: JOINED,
      'resources/piece': `${PIECE}fields:\n  event: { kind: enum, values: [Joined, Lft] }\n`,
    }),
    right: files({
      events: JOINED,
      'resources/piece': `${PIECE}fields:\n  event: { kind: enum, values: [Joined, Left] }\n`,
    }),
  },
  W0603: {
    why: 'Only callers who may edit the record of the owner can subscribe; without such a resource nobody can receive the event.',
    wrong: files({ events: JOINED.replace('Left: { owner_class: User', 'Left: { owner_class: Usr') }),
    right: files({ events: JOINED }),
  },
  W0604: {
    why: 'gen cannot tell a renamed field from a new one beside one that was removed. A new one starts empty.',
    wrong: history('  title: text\n'),
    right: history('  title: { kind: text, was: name }\n'),
  },
  W0605: {
    why: 'What is removed is no longer part of the API. Values that databases hold are dropped by nothing but a migration that is allowed to.',
    wrong: history('  top: image\n'),
    right: history('  name: text\n  top: image\n'),
  },
};
