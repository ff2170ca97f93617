// A descriptor started from another: its fields, access and comments, without what only one resource can be or have.

import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { pluralOf, spoken } from './head.js';
import { yamlText } from './yaml-text.js';

/** Keys that say what a resource alone is, what is written by hand for it, or what it was. */
const OWN = [
  'principal',
  'upload',
  'served_by',
  'type_name',
  'paths',
  'actions',
  'lifecycle',
  'ignores',
  'brief',
  'was',
  'deprecated',
  'sunset',
] as const;

/** @param text the other descriptor */
export function like(name: string, text: string, other: string): string {
  const document = parseDocument(text);
  const values = {
    resource: name,
    title: spoken(name),
    summary: `One ${spoken(name).toLowerCase()}.`,
    plural: pluralOf(name),
  };
  for (const [key, value] of Object.entries(values)) document.set(key, value);
  // "self" is a right over the principal alone.
  const own = document.has('principal') ? [...OWN, 'access'] : OWN;
  const left: string[] = own.filter((key) => document.delete(key));
  for (const field of fieldsOf(document.get('fields'))) {
    if (belongsToOther(field.value)) {
      document.deleteIn(['fields', field.name]);
      left.push(field.name);
      continue;
    }
    // Names of the other's lists are taken on their targets.
    for (const key of ['was', 'deprecated', 'sunset', 'lists']) field.value.delete(key);
    if (isFromUpload(field.value.get('default'))) field.value.delete('default');
    if (field.value.items.length === 0) document.deleteIn(['fields', field.name]);
    const list = field.value.get('list');
    if (typeof list === 'string') field.value.set('list', `${values.plural}_by_${field.name}`);
  }
  const kept = yamlText(document).replace(/^summary: .*$/m, '$& # TODO one sentence, which becomes documentation');
  const identities = kept.replace(
    /^identities:.*$/m,
    (line) => `# TODO the variants of ${other} are taken over\n${line}`,
  );
  const note = left.length === 0 ? '' : `# Not taken over from ${other}: ${left.join(', ')}.\n`;
  return identities.replace(/^(?=resource:)/m, note);
}

/** A count of records that refer to the other, and what is read from its uploads. */
function belongsToOther(field: YAMLMap): boolean {
  return field.has('count') || isFromUpload(field.get('from'));
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
