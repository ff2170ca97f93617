// The text of a new descriptor: with the keys that most resources need, each with a comment, or copied from another descriptor
// without what only one resource can be or have.

import { type Document, isMap, isScalar, parse, parseDocument, type YAMLMap } from 'yaml';
import type { SpecSource } from '../../check/project.js';
import { compileSpec } from '../../compile-spec.js';
import { pluralOf } from '../../language/normalize.js';
import { KINDS } from '../../model/kinds/kinds.js';
import { pascalCase } from '../../model/type-names.js';

export function blankDescriptor(name: string, { conventions, principal, hasUploads }: SpecSummary): string {
  const shared =
    conventions.length === 0
      ? ''
      : `# Keys that many resources share: ${conventions.join(', ')}.\n# extends: ${conventions[0]}\n`;
  const owner =
    principal === null
      ? ''
      : `  # The user who creates a record owns it.\n  ${principal}: { kind: reference, to: ${principal}, default: session.user, place: true, list: true, description: User who owns the record. }\n`;
  const image = hasUploads
    ? `  # An image adds top_id and has_proofed_top.\n  # top: { kind: image, description: Image printed on the top. }\n`
    : '';
  const edit = principal === null ? '' : `, edit: [${principal}]`;
  return `${head(name)}${shared}fields:
  # Kinds: ${KINDS.join(', ')}.
  name: { kind: text, required: true, max: 255, description: Name of the ${titleOf(name).toLowerCase()}. }
${owner}${image}# Who may read and who may edit; without this key anyone reads and administrators edit.
access: { read: anyone${edit} }
`;
}

/** Keys about what only this resource is, its hand-written code, or its history. */
const OWN_KEYS = [
  'principal',
  'upload',
  'served_by',
  'type_name',
  'paths',
  'old_names',
  'actions',
  'lifecycle',
  'ignores',
  'brief',
  'was',
  'deprecated',
  'sunset',
] as const;

/** @param text the descriptor to copy */
export function descriptorLike(name: string, text: string, other: string): string {
  const document = parseDocument(text);
  const plural = irregularPlural(name);
  const values = { title: titleOf(name), summary: `One ${titleOf(name).toLowerCase()}.` };
  for (const [key, value] of Object.entries(values)) document.set(key, value);
  for (const key of ['resource', 'plural', 'default_identity']) document.delete(key);
  if (plural !== null) document.set('plural', plural);
  // The new resource's variants are unknown, and lists named after the other's are taken.
  if (document.has('identities')) {
    document.set('identities', document.createNode([pascalCase(name)], { flow: true }));
  }
  // "self" applies only to the principal.
  const keys = document.has('principal') ? [...OWN_KEYS, 'access'] : OWN_KEYS;
  const omitted: string[] = keys.filter((key) => document.delete(key));
  for (const field of fieldsOf(document.get('fields'))) {
    if (belongsToOther(field.value)) {
      document.deleteIn(['fields', field.name]);
      omitted.push(field.name);
      continue;
    }
    // The names of the other resource's lists are taken.
    for (const key of ['was', 'deprecated', 'sunset', 'lists']) field.value.delete(key);
    if (isFromUpload(field.value.get('default'))) field.value.delete('default');
    if (field.value.items.length === 0) document.deleteIn(['fields', field.name]);
    const list = field.value.get('list');
    if (typeof list === 'string') field.value.set('list', `${plural ?? pluralOf(name)}_by_${field.name}`);
  }
  const withTodo = yamlText(document).replace(/^summary: .*$/m, '$& # TODO one sentence, which becomes documentation');
  const identities = withTodo.replace(
    /^identities:.*$/m,
    (line) => `# TODO the variants; each record is one of them\n${line}`,
  );
  const note = omitted.length === 0 ? '' : `# Not copied from ${other}: ${omitted.join(', ')}.\n`;
  return identities.replace(/^(?=title:)/m, note);
}

/** Whether a field counts records that refer to the other resource, is made with them, or is read from its uploads. */
function belongsToOther(field: YAMLMap): boolean {
  return ['count', 'sum', 'latest', 'make'].some((key) => field.has(key)) || isFromUpload(field.get('from'));
}

function isFromUpload(value: unknown): boolean {
  return String(value).startsWith('upload.');
}

function fieldsOf(fields: unknown) {
  if (!isMap(fields)) return [];
  return fields.items.flatMap(({ key, value }) =>
    isScalar(key) && isMap(value) ? [{ name: String(key.value), value }] : [],
  );
}

/** Begins with the line that makes editors validate the file. */
function head(name: string): string {
  return `# yaml-language-server: $schema=../descriptor.schema.json
# The language is on one page: spec/README.md.
title: ${titleOf(name)}
summary: One ${titleOf(name).toLowerCase()}. # TODO one sentence, which becomes documentation
${irregularPlural(name) === null ? '' : `plural: ${irregularPlural(name)}\n`}`;
}

/** `hook_box` becomes `Hook box`. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The plural that a descriptor has to state; null if the rule of the language gives it. */
function irregularPlural(name: string): string | null {
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : null;
}

export interface SpecSummary {
  /** Paths of the descriptors by resource name. */
  readonly resources: ReadonlyMap<string, string>;
  readonly conventions: readonly string[];
  /** Null if the spec has none. */
  readonly principal: string | null;
  readonly hasUploads: boolean;
}

export function summarize({ files, ledger }: SpecSource): SpecSummary {
  const { spec } = compileSpec({ files, ledger });
  return {
    resources: new Map(spec.resources.map(({ resource, source }) => [resource, source])),
    conventions: spec.conventions,
    principal: spec.resources.find(({ principal }) => principal)?.resource ?? null,
    hasUploads: spec.resources.some(({ upload }) => upload !== undefined),
  };
}

function yamlText(document: Document): string {
  const text = document.toString({ lineWidth: 0 });
  const compact = text
    .replace(/\[ (.*) \]/g, '[$1]')
    .replace(/\[ /g, '[')
    .replace(/ \]/g, ']');
  // Brackets inside a text must not change.
  return JSON.stringify(parse(compact)) === JSON.stringify(parse(text)) ? compact : text;
}
