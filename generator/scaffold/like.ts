// A descriptor started from another: its fields, access and comments, without what only one resource can be or have.

import { isMap, isScalar, parseDocument } from 'yaml';
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
  const left = OWN.filter((key) => document.delete(key));
  for (const field of fieldsOf(document.get('fields'))) {
    // Names of the other's lists are taken on their targets.
    for (const key of ['was', 'deprecated', 'sunset', 'lists']) field.value.delete(key);
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

function fieldsOf(fields: unknown) {
  if (!isMap(fields)) return [];
  return fields.items.flatMap(({ key, value }) =>
    isScalar(key) && isMap(value) ? [{ name: String(key.value), value }] : [],
  );
}
