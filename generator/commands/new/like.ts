// Copies a descriptor: its fields, access and comments, without what only one resource can be or have.

import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { pascalCase } from '../../emit/typescript.js';
import { pluralOf } from '../../language/list-names.js';
import { irregularPlural, titleOf } from './head.js';
import { yamlText } from './yaml-text.js';

/** Keys about what only this resource is, what is hand-written for it, or what it used to be. */
const OWN = [
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
export function like(name: string, text: string, other: string): string {
  const document = parseDocument(text);
  const plural = irregularPlural(name);
  const values = { title: titleOf(name), summary: `One ${titleOf(name).toLowerCase()}.` };
  for (const [key, value] of Object.entries(values)) document.set(key, value);
  for (const key of ['resource', 'plural', 'default_identity']) document.delete(key);
  if (plural !== null) document.set('plural', plural);
  // Its own variants are unknown, and lists named after those of the other are taken.
  if (document.has('identities')) {
    document.set('identities', document.createNode([pascalCase(name)], { flow: true }));
  }
  // "self" applies to the principal only.
  const own = document.has('principal') ? [...OWN, 'access'] : OWN;
  const omitted: string[] = own.filter((key) => document.delete(key));
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
    (line) => `# TODO the variants, of which each record is one\n${line}`,
  );
  const note = omitted.length === 0 ? '' : `# Not copied from ${other}: ${omitted.join(', ')}.\n`;
  return identities.replace(/^(?=title:)/m, note);
}

/** Whether a field counts records that refer to the other resource, is made with them, or is read from its uploads. */
function belongsToOther(field: YAMLMap): boolean {
  return field.has('count') || field.has('make') || isFromUpload(field.get('from'));
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
