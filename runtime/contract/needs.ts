// What hand-written code needs from the resources it works on, as data. check-needs.ts compares it with a project: the
// generator does so before it writes anything, a server before it opens its database.

import type { Lifecycle } from './definition.js';

/** Hand-written code, and what it relies on. */
export interface Module {
  /** Its file or folder. */
  readonly module: string;
  /** Completes the sentence "… needs it to …". */
  readonly purpose: string;
  /** The code runs if a resource has this key, or if the named resource declares its functions. */
  readonly runs: 'principal' | 'upload' | { readonly servedBy: string } | { readonly resource: string };
  /**
   * By name or role: `@principal` is the resource that logs in, `@upload` the resource that stores uploads, `@keys` the
   * optional resource of API keys.
   */
  readonly resources: Readonly<Record<string, ResourceNeed>>;
  /** Events it publishes if there are web hooks. */
  readonly events?: readonly string[];
}

export interface ResourceNeed {
  readonly fields: Readonly<Record<string, FieldNeed>>;
  readonly brief?: true;
  /** Functions the module has for the resource; it works only if the descriptor declares all of them. */
  readonly lifecycle?: readonly Lifecycle[];
  readonly actions?: readonly string[];
  /** Actions that the module carries out where the descriptor declares them. */
  readonly offers?: readonly string[];
}

/** Every key but `kinds`, `optional`, `carried`, `lists` and `view` is a further requirement on the field. */
export interface FieldNeed {
  /** The accepted kinds. */
  readonly kinds: readonly string[];
  /** Target of a reference, by its key in `resources`. */
  readonly to?: string;
  /** The source that fills it. */
  readonly from?: string;
  readonly unique?: true;
  /** Never null; the value is what to write for it, since callers need not send what the code or the session can give. */
  readonly filled?: string;
  /** Who may see it, in the advice on what to write: others must not learn the value. */
  readonly view?: 'created' | 'nobody';
  /** Only administrators can send it. */
  readonly guarded?: true;
  /** The code works without it, but uses a field of this name if there is one. */
  readonly optional?: true;
  /** The code asks for the present name of the field (`fieldFor`), so a rename carries the need (N05). */
  readonly carried?: true;
  /** Its value lists names of resources, which a migration renames with them. */
  readonly lists?: 'resources';
}

/** The resource whose records are API keys. */
export const API_KEYS = 'apikey';

const TEXT = { kinds: ['text'] } as const;

/** What fills fields that are never null: callers send them, they are the caller's own, or they count up from 0. */
const SENT = { filled: 'required: true' } as const;
const OF_CALLER = { filled: 'default: session.user' } as const;
const COUNTED = { filled: 'default: 0, read_only: true' } as const;

export const MODULES: readonly Module[] = [
  {
    module: 'runtime/auth',
    purpose: 'log users in',
    runs: 'principal',
    resources: {
      '@principal': {
        fields: {
          username: { ...TEXT, unique: true },
          password: { kinds: ['password'] },
          // Without it nobody is an administrator; if any caller could send it, any caller could become one. Neither is carried
          // over a rename: a field that was renamed before and means something else now would give rights.
          admin: { kinds: ['boolean'], guarded: true, optional: true },
          // Without it no user can be disabled; if any caller could send it, a disabled user would not stay so.
          disabled: { kinds: ['boolean'], guarded: true, optional: true },
          // Without it only administrators can open the operators' pages; if any caller could send it, anybody could read everything.
          operator_role: { kinds: ['enum'], guarded: true, optional: true },
        },
      },
      // Without a token programs log in with a password; without a scope a token only reads.
      '@keys': {
        fields: {
          token: { kinds: ['token'], optional: true },
          scope: { kinds: ['enum'], optional: true },
          resources: { kinds: ['json'], optional: true, lists: 'resources' },
          expires: { kinds: ['date'], optional: true },
          api_version: { ...TEXT, optional: true },
          last_used: { kinds: ['date'], guarded: true, optional: true },
        },
      },
    },
  },
  {
    module: 'runtime/files',
    purpose: 'keep and send the bytes of uploads',
    runs: 'upload',
    resources: {
      '@upload': {
        brief: true,
        fields: {
          name: { ...TEXT, filled: 'default: upload.name' },
          file_type: { ...TEXT, from: 'upload.type', ...SENT },
          content_hash: { ...TEXT, from: 'upload.hash', view: 'nobody', ...SENT },
          access_key: { ...TEXT, from: 'random', view: 'nobody', ...SENT },
        },
      },
    },
  },
  {
    module: 'runtime/webhooks',
    purpose: 'send web hooks',
    runs: { servedBy: 'webhooks' },
    resources: {
      webhook: {
        actions: ['test'],
        offers: ['exchange'],
        fields: {
          user: { kinds: ['reference'], to: '@principal', ...OF_CALLER },
          owner_class: { kinds: ['text', 'enum'], ...SENT },
          owner_id: { ...TEXT, ...SENT },
          event: { kinds: ['text', 'enum'], ...SENT },
          callback_uri: { kinds: ['url'], ...SENT },
          api_key: { kinds: ['reference'], to: 'apikey' },
          failures_since_last_success: { kinds: ['integer'], ...COUNTED },
          // Without it, or with any other value than `standard`, callbacks are forms.
          format: { kinds: ['text', 'enum'], optional: true },
          api_version: { ...TEXT, optional: true },
        },
      },
      apikey: {
        fields: {
          user: { kinds: ['reference'], to: '@principal', ...OF_CALLER },
          private_key: { ...TEXT, from: 'random', view: 'created', ...SENT },
        },
      },
      // Without it, or while it is empty, no mail is sent.
      '@principal': { fields: { email: { ...TEXT, optional: true, carried: true } } },
    },
  },
  {
    module: 'runtime/resources/receipt.ts',
    purpose: 'sell, ship and refund',
    runs: { resource: 'receipt' },
    events: ['ItemSold', 'ReceiptShipped', 'ReceiptRefunded'],
    resources: {
      receipt: {
        lifecycle: ['afterCreate'],
        actions: ['ship', 'refund'],
        fields: {
          items: { kinds: ['json'], ...SENT },
          shipping_address: { kinds: ['json'] },
          shipped: { kinds: ['date'] },
          refunded: { kinds: ['date'] },
          shipments: { kinds: ['json'] },
        },
      },
      game: { fields: {} },
    },
  },
  {
    module: 'runtime/resources/designer.ts',
    purpose: 'end the web hooks of a designer that is deleted',
    runs: { resource: 'designer' },
    resources: { designer: { lifecycle: ['afterDelete'], fields: {} } },
  },
];
