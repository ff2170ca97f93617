// Assembles the documents of a project: merged resources, conventions, events. Collects structural errors.

import type { Code } from '../../runtime/schema/check-needs.js';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { writeOut } from '../form/short-forms.js';
import { type FileKind, type StructuredDocument, structureCheck } from '../form/structure.js';
import type { RawField, RawSpec } from '../language/language.js';
import {
  conventionNames,
  merge,
  nameOf,
  type PlainMap,
  plain,
  toCatalogue,
  toRawResource,
} from '../language/normalize.js';
import { type ExtendedLedger, extendLedger } from '../ledger/extend.js';
import { EMPTY_LEDGER, type Ledger } from '../ledger/ledger.js';
import { unparsedDocument } from '../load/document.js';
import type { Document, LoadedFiles, SourceFile } from '../load/load.js';
import { memoizeByObject } from '../memoize.js';
import { toField } from '../model/kinds/kinds.js';
import type { Subject } from './subject.js';

export interface SpecSource {
  /** conventions.yaml, events.yaml and resources/*.yaml, in any order. */
  readonly files: readonly SourceFile[];
  /** Null if the spec has none yet. */
  readonly ledger: Ledger | null;
  /** The hand-written code whose needs are checked; none by default. */
  readonly code?: Code;
}

export interface Project {
  readonly spec: RawSpec;
  /** Every descriptor whose text can be read, sorted by path; a name may occur twice. */
  readonly subjects: readonly Subject[];
  readonly byName: ReadonlyMap<string, Subject>;
  /** The fields that refer to each resource, in the order of `byName`; an index, because many rules look it up. */
  readonly referring: ReadonlyMap<string, readonly ReferringField[]>;
  /** Names of resources whose files cannot be read, so that only their existence is known. */
  readonly unreadable: ReadonlySet<string>;
  readonly conventions: Document | null;
  /** conventions.yaml as a resource without fields, so that rules about fields also check the attributes of the catalogue. */
  readonly shared: Subject;
  readonly events: StructuredDocument | null;
  readonly principal: Subject | null;
  readonly uploads: Subject | null;
  /** Earlier names; null if the spec has no ledger yet. */
  readonly ledger: Ledger | null;
  /** The ledger with the additions and renames of the descriptors. */
  readonly extended: ExtendedLedger;
  /** The hand-written code that the descriptors must match; null if none is checked. */
  readonly code: Code | null;
}

/** A field that refers to a resource. */
export interface ReferringField {
  readonly subject: Subject;
  readonly name: string;
  readonly field: RawField;
}

/** The default media types of an image field. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The engines of a spec that does not name any. */
const ENGINES: RawSpec['engines'] = ['sqlite', 'postgres'];

export interface AssembledSpec {
  readonly documents: readonly Document[];
  readonly project: Project;
  /** From loading and from checking the structure. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks the structure of each document and merges those that are well-formed. */
export function assemble(loaded: LoadedFiles, options: Pick<Project, 'ledger' | 'code'>): AssembledSpec {
  const { documents } = loaded;
  const check = structureCheck();
  const sorted = documents.map((document) => ({ document, kind: fileKind(document.path) }));
  const checked = sorted.flatMap(({ document, kind }) =>
    kind === null ? [] : [{ kind, structured: check(document, kind) }],
  );
  const unknownFiles = sorted.filter(({ kind }) => kind === null);
  const diagnostics = [
    ...loaded.diagnostics,
    ...unknownFiles.map(({ document }) => diagnostic('E0111', document.locate([]), {})),
    ...checked.flatMap(({ structured }) => structured.diagnostics),
  ];
  const of = (kind: FileKind) => checked.flatMap((one) => (one.kind === kind ? [one.structured] : []));
  const files = project(of('resource'), of('conventions')[0] ?? null, of('events')[0] ?? null);
  const extended = extendLedger(options.ledger ?? EMPTY_LEDGER, files.spec.resources);
  return { documents, project: { ...files, ...options, extended }, diagnostics };
}

function fileKind(path: string): FileKind | null {
  const [folder, file] = path.split('/').slice(-2);
  if (/(^|\/)resources\/[^/]+\.ya?ml$/.test(path)) return 'resource';
  if (file === 'conventions.yaml' || folder === 'conventions.yaml') return 'conventions';
  return file === 'events.yaml' || folder === 'events.yaml' ? 'events' : null;
}

function project(
  resources: readonly StructuredDocument[],
  conventions: StructuredDocument | null,
  events: StructuredDocument | null,
): Omit<Project, 'ledger' | 'extended' | 'code'> {
  const sound = resources.filter(({ document }) => document.sound);
  const subjects = sound.map((one) => subjectOf(one, conventions));
  // If two have the same name, the first is used; a rule reports the second.
  const first = new Map([...subjects].reverse().map((one) => [one.raw.resource, one]));
  const byName = new Map([...first].sort(([a], [b]) => (a < b ? -1 : 1)));
  const unread = resources.filter(({ document }) => !document.sound).map(({ document }) => nameOf(document.path));
  return {
    spec: {
      ...conventionSettings((conventions ?? NO_FILE).value),
      ...eventSettings((events ?? NO_FILE).value),
      resources: [...byName.values()].map(({ raw }) => raw),
    },
    subjects,
    byName,
    referring: referringTo([...byName.values()]),
    unreadable: unread.length === 0 ? NO_NAMES : new Set(unread),
    conventions: conventions?.document ?? null,
    shared: sharedSubject(conventions ?? NO_FILE),
    events,
    principal: subjects.find(({ raw }) => raw.principal) ?? null,
    uploads: subjects.find(({ raw }) => raw.upload) ?? null,
  };
}

/** A constant, so that results remembered for it are found again after an edit. */
const NO_FILE: Pick<StructuredDocument, 'document' | 'value' | 'pruned'> = {
  document: unparsedDocument('conventions.yaml'),
  value: {},
  pruned: new Set(),
};
const NO_NAMES = NO_FILE.pruned;

function referringTo(subjects: readonly Subject[]): ReadonlyMap<string, readonly ReferringField[]> {
  const all = new Map<string, ReferringField[]>();
  for (const subject of subjects) {
    for (const [to, referring] of referencesOf(subject)) {
      const fields = all.get(to) ?? [];
      fields.push(referring);
      all.set(to, fields);
    }
  }
  return all;
}

/** The references of a resource, each with the name of its target. */
const referencesOf = memoizeByObject((subject: Subject) =>
  [...subject.raw.fields].flatMap(([name, field]): (readonly [string, ReferringField])[] =>
    field.to === undefined ? [] : [[field.to, { subject, name, field }]],
  ),
);

const subjectOf = memoizeByObject((structured: StructuredDocument, conventions: StructuredDocument | null): Subject => {
  const all = (conventions?.value.conventions ?? {}) as Readonly<Record<string, PlainMap>>;
  const names = conventionNames(structured.value.extends);
  const shared = names.flatMap((name) => (Object.hasOwn(all, name) ? [{ name, keys: plain(all[name]) }] : []));
  const conventionKeys = shared.map(({ keys }) => keys);
  // A missing or wrong title or summary already has a diagnostic; the rules continue with a placeholder.
  const short = { title: '', summary: '', ...merge(structured.value, conventionKeys) };
  const { keys, origins } = writeOut(short);
  return {
    raw: toRawResource(keys, structured.document.path, toField),
    merged: keys,
    short,
    origins,
    document: structured.document,
    conventions: conventions === null ? [] : shared.map((one) => ({ ...one, document: conventions.document })),
    pruned: new Set([...structured.pruned, ...names.flatMap((name) => prunedOfConvention(name, conventions))]),
  };
});

const sharedSubject = memoizeByObject(({ document, value, pruned }: typeof NO_FILE): Subject => {
  const raw = toRawResource({}, document.path, toField);
  const origins = { repeated: new Map<string, string>(), parent: null };
  return { raw, merged: value, short: {}, origins, document, conventions: [], pruned };
});

function prunedOfConvention(name: string, conventions: StructuredDocument | null): string[] {
  if (conventions === null) return [];
  if (!conventions.document.sound || conventions.pruned.has(`conventions/${name}`)) return ['*'];
  if (conventions.pruned.has('conventions')) return ['*'];
  const prefix = `conventions/${name}/`;
  return [...conventions.pruned].filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
}

/** What conventions.yaml says about the spec as a whole. */
const conventionSettings = memoizeByObject((conventions: PlainMap) => ({
  title: textOf(conventions.title),
  version: textOf(conventions.version),
  summary: textOf(conventions.summary),
  imageTypes: (conventions.image_types ?? IMAGE_TYPES) as string[],
  engines: (conventions.engines ?? ENGINES) as RawSpec['engines'],
  conventions: Object.keys((conventions.conventions ?? {}) as object).sort(),
  catalogue: conventions.catalogue === undefined ? null : toCatalogue(plain(conventions.catalogue), toField),
}));

/** What events.yaml says. */
const eventSettings = memoizeByObject((events: PlainMap) => {
  const eventBodies = (events.events ?? {}) as RawSpec['eventBodies'];
  return {
    events: Object.keys(eventBodies).sort(),
    eventBodies,
    ownerClasses: { ...classesOf(eventBodies), ...(events.owner_classes as RawSpec['ownerClasses'] | undefined) },
  };
});

/** The class `Designer` denotes the resource `designer`, unless `owner_classes` says otherwise. */
function classesOf(bodies: RawSpec['eventBodies']): RawSpec['ownerClasses'] {
  const classes = Object.values(bodies).map(({ owner_class }) => textOf(owner_class));
  return Object.fromEntries(classes.map((name) => [name, name.toLowerCase()]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
