// What hand-written code needs of the resources it works on, as data. check-needs.ts compares it with a project: the
// generator asks before it writes anything, a server before it opens its database.

import type { Lifecycle } from './definition.js';

/** Hand-written code, and what it takes for granted. */
export interface Module {
  /** Its file or folder. */
  readonly module: string;
  /** Ends the sentence "… needs it to". */
  readonly purpose: string;
  /** The code runs where a resource says this key, or where the resource of this name declares its functions. */
  readonly runs: 'principal' | 'upload' | { readonly servedBy: string } | { readonly resource: string };
  /** By name, or by part: `@principal` is whoever logs in, `@upload` what stores uploads. */
  readonly resources: Readonly<Record<string, ResourceNeed>>;
  /** Events it publishes where there are web hooks. */
  readonly events?: readonly string[];
}

export interface ResourceNeed {
  readonly fields: Readonly<Record<string, FieldNeed>>;
  readonly brief?: true;
  /** Functions the module has for the resource; a descriptor that leaves one out leaves the module half done. */
  readonly lifecycle?: readonly Lifecycle[];
  readonly actions?: readonly string[];
}

/** Every key but `kinds` and `optional` is something the field must be besides its kind. */
export interface FieldNeed {
  /** One of them. */
  readonly kinds: readonly string[];
  /** Target of a reference, named as in `resources`. */
  readonly to?: string;
  /** What fills it. */
  readonly from?: string;
  readonly unique?: true;
  /** Never null. */
  readonly filled?: true;
  /** Nobody but administrators can send it. */
  readonly guarded?: true;
  /** The code does without it, but takes a field of this name for its own. */
  readonly optional?: true;
}

const TEXT = { kinds: ['text'] } as const;

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
          // Without it nobody is an administrator; one that everybody could send would make everybody one.
          admin: { kinds: ['boolean'], guarded: true, optional: true },
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
          name: { ...TEXT, filled: true },
          file_type: { ...TEXT, from: 'upload.type', filled: true },
          content_hash: { ...TEXT, from: 'upload.hash', filled: true },
          access_key: { ...TEXT, from: 'random', filled: true },
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
        fields: {
          user: { kinds: ['reference'], to: '@principal', filled: true },
          owner_class: { kinds: ['enum', 'text'], filled: true },
          owner_id: { ...TEXT, filled: true },
          event: { kinds: ['enum', 'text'], filled: true },
          callback_uri: { kinds: ['url'], filled: true },
          api_key: { kinds: ['reference'], to: 'apikey' },
          failures_since_last_success: { kinds: ['integer'], filled: true },
        },
      },
      apikey: {
        fields: {
          user: { kinds: ['reference'], to: '@principal', filled: true },
          private_key: { ...TEXT, from: 'random', filled: true },
        },
      },
      // Without it, or while it is empty, nobody is written to.
      '@principal': { fields: { email: { ...TEXT, optional: true } } },
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
          items: { kinds: ['json'], filled: true },
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

/** Where there is a function for it: `served_by`, or a lifecycle function or action of a resource. */
export function hasCode(resource: string, key: 'served_by' | 'lifecycle' | 'actions', name: string): boolean {
  return MODULES.some(({ runs, resources }) => {
    if (key === 'served_by') return typeof runs === 'object' && 'servedBy' in runs && runs.servedBy === name;
    const names: readonly string[] = resources[resource]?.[key] ?? [];
    return names.includes(name);
  });
}

/** All there are functions for, as people read it. */
export function declaredCode(): readonly string[] {
  return MODULES.flatMap(({ runs, resources }) => [
    ...(typeof runs === 'object' && 'servedBy' in runs ? [`served_by: ${runs.servedBy}`] : []),
    ...Object.entries(resources).flatMap(([name, { lifecycle = [], actions = [] }]) =>
      [...lifecycle, ...actions].map((one) => `${one} of ${name}`),
    ),
  ]);
}
