// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is looked for holds templates
// Mutants of the code: every place of the runtime that refuses or hides, with the refusal taken out.
import { at, type CodeMutant, SQLITE } from './mutant.js';
import { rights, writes } from './store-code.js';

const ORDERS = {
  operation: at('operations/page', 'if (value === null || allowed.includes(value))', 'if (true)'),
  store: at(`${SQLITE}/lists`, '!definition.sortable.includes(page.orderBy)', 'false'),
};

const views: readonly CodeMutant[] = [
  {
    name: 'what nobody sees is seen',
    edits: at(
      `${SQLITE}/record-text`,
      "if (view === 'nobody')\n        return '0'",
      "if (view === 'nobody')\n        return '1'",
    ),
  },
  {
    name: 'what is shown once is shown always',
    edits: at(`${SQLITE}/record-text`, "viewer.created ? '1' : '0'", "'1'"),
  },
  {
    name: 'a view takes no right',
    edits: at(`${SQLITE}/record-text`, "view === 'editor' ? 'edit' : view)", "'read')"),
  },
  {
    name: 'a right worked out is not applied',
    edits: at(`${SQLITE}/record-text`, "condition === '1' ? member", 'true ? member'),
  },
  {
    name: 'a fetch takes no right',
    edits: at(`${SQLITE}/record-text`, "viewerRight(composing, definition, viewer, 'read')", "'1'"),
  },
  {
    name: 'the anonymous see as editors',
    edits: at(
      `${SQLITE}/record-text`,
      "anonymous: { user: 'NULL', holds: 'nothing'",
      "anonymous: { user: 'NULL', holds: 'edit'",
    ),
  },
  {
    name: 'sessions see as editors',
    edits: at(
      `${SQLITE}/record-text`,
      "session: { user: '@user', holds: 'nothing'",
      "session: { user: '@user', holds: 'edit'",
    ),
  },
  {
    name: 'a list shows what may not be read',
    edits: at(
      `${SQLITE}/list-statement`,
      "definition, known, 'read')",
      "definition, { ...known, holds: 'everything' }, 'read')",
    ),
  },
  {
    name: 'a list of a parent nobody may read',
    edits: at(`${SQLITE}/store`, 'if (!permission.allowed)', 'if (false)'),
  },
  {
    name: 'what is included is shown as to editors',
    edits: at(
      `${SQLITE}/store`,
      '.text((0, records_js_1.viewerOf)(caller), id, caller.user)',
      ".text('admin', id, null)",
    ),
  },
  {
    name: 'a hidden record is forbidden instead of missing',
    edits: at(`${SQLITE}/records`, 'if (definition.access.hidden)', 'if (false)'),
  },
  {
    name: 'a hidden record is told from a missing one by writes',
    edits: at(`${SQLITE}/records`, 'const unseen = definition.access.hidden &&', 'const unseen = false &&'),
  },
  { name: 'a list is ordered by what is hidden', edits: [...ORDERS.operation, ...ORDERS.store] },
  { name: 'the operation takes any order', edits: ORDERS.operation, equivalent: 'the store refuses it too' },
  { name: 'the store takes any order', edits: ORDERS.store, equivalent: 'the operation refuses it before' },
  { name: 'links tell what is hidden', edits: at('operations/include', 'relation.view === null ||', 'true ||') },
];

const doors: readonly CodeMutant[] = [
  { name: 'the anonymous are let in', edits: at('operations/admit', 'if (caller.user === null)', 'if (false)') },
  {
    name: 'anyone does what administrators do',
    edits: at('operations/admit', "if (policy === 'admin')", 'if (false)'),
  },
  {
    name: 'operations that are not offered run',
    edits: at('operations/admit', 'if (policy === null)', 'if (false)'),
    equivalent: 'there is no route to them',
  },
  {
    name: 'a right that is asked for is not needed',
    edits: at('operations/admit', 'if (!permission.allowed)', 'if (false)'),
  },
  {
    name: 'an action takes no right',
    edits: at(
      `${SQLITE}/writes`,
      'const old = permitted(definition, records, { id, right, caller })',
      'const old = records.row(id)',
    ),
  },
  { name: 'an update of nothing takes no right', edits: at('operations/update', 'if (nothing ||', 'if (false &&') },
  { name: 'a session does not end', edits: at('auth/sessions', 's.expires > ?', 's.expires IS NOT ?') },
  {
    name: 'a session outlives its password',
    edits: at('auth/sessions', ' AND substr(u.password, -${STAMP}) = s.stamp', ''),
  },
  {
    name: 'a session outlives its deletion',
    edits: at(
      'auth/sessions',
      'await submit(() => statements.remove.run(sha256(id)))',
      'await submit(() => undefined)',
    ),
  },
  { name: 'everybody is an administrator', edits: at('auth/sessions', 'admin: row.admin === 1', 'admin: true') },
  {
    name: 'any password will do',
    edits: at('auth/login', 'if (!right || found === undefined)', 'if (found === undefined)'),
  },
  {
    name: "a session is opened with another's key",
    edits: at('auth/login', 'owns.get(apiKey, found.id) === undefined', 'false'),
  },
  {
    name: 'no session is an administrator',
    edits: at(
      'http/dispatcher',
      'const ANONYMOUS = { user: null, admin: false }',
      'const ANONYMOUS = { user: null, admin: true }',
    ),
  },
  {
    name: 'the anonymous upload',
    edits: at(
      'http/dispatcher',
      "if (caller.user === null && route.definition?.operations.create !== 'anyone')",
      'if (false)',
    ),
    equivalent: 'the create refuses them too; this check only keeps their bytes off the disk',
  },
  {
    name: 'bytes are sent without their key',
    edits: at('files/serve', '!sameText(row.access_key, String(key))', 'false'),
  },
];

/** All of them, by name. */
/** What the web hook module refuses by itself. */
const hooks: readonly CodeMutant[] = [
  { name: "a hook for anybody's designer", edits: at('webhooks/hooks', 'if (may !== 1)', 'if (false)') },
  {
    name: "a hook signed with anybody's key",
    edits: at('webhooks/hooks', 'row.api_key_id !== null && !holdsKey(row)', 'false'),
  },
  {
    name: "anybody's hooks are listed",
    edits: at('webhooks/operations', '!call.caller.admin && call.caller.user !== call.id', 'false'),
  },
  {
    name: "a test of anybody's hook",
    edits: at(
      'webhooks/operations',
      "requireRight)(store, call, 'editor')",
      "requireRight)(store, { ...call, caller: { user: '', admin: true } }, 'editor')",
    ),
  },
];

export const codeMutants: readonly CodeMutant[] = [...writes, ...rights, ...views, ...doors, ...hooks];
