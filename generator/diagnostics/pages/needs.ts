// Pages of the codes 07: what hand-written code needs.
import { type Pages, yaml } from './page-type.js';

const FILE = yaml`
  # spec/resources/file.yaml
  resource: file
  title: File
  summary: A file.
  plural: files
  upload: { part: file, max_bytes: 1000 }
  brief: [id, name, file_type]
  fields:
    name: { kind: text, default: upload.name }
    file_type: { kind: text, from: upload.type }
    content_hash: { kind: text, from: upload.hash, view: nobody }
    access_key: { kind: text, from: random, view: nobody }
`;

const USER = yaml`
  # spec/resources/user.yaml
  resource: user
  title: User
  summary: Somebody.
  plural: users
  principal: true
  fields:
    username: { kind: text, required: true, unique: true }
    password: { kind: password, required: true }
`;

const RECEIPT = yaml`
  # spec/resources/receipt.yaml
  resource: receipt
  title: Receipt
  summary: A sale.
  plural: receipts
`;

export const NEEDS: Pages<'07'> = {
  E0701: {
    why: 'Some code is written by hand and relies on fields, actions and resources by name; runtime/needs.ts lists them. Without them the service would not start, or would fail at the first request.',
    wrong: FILE + USER.replace(/^.*username.*\n/m, ''),
    right: FILE + USER,
  },
  E0702: {
    why: 'Hand-written code relies on the field being as runtime/needs.ts describes it. For example, a password that is not of kind password is not hashed, and if anybody could set the administrator flag, everybody could become an administrator.',
    wrong: FILE + USER.replace('kind: password', 'kind: text'),
    right: FILE + USER,
  },
  E0703: {
    why: 'The API document would list an operation that responds with 404. Lifecycle functions, actions and modules are written in runtime/ and listed in runtime/needs.ts.',
    wrong: `${FILE}${USER}${RECEIPT}actions:\n  cancel: { title: Cancel, by: admin }\n`,
    right: FILE + USER + RECEIPT,
  },
};
