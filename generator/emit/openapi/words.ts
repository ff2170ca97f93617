// Titles of resources in running text: `API key` becomes "an API key", `Box top` "box tops".

import type { Others } from '../../model/find.js';

export interface Words {
  /** `box top` */
  readonly one: string;
  /** `a box top` */
  readonly a: string;
  /** `box tops` */
  readonly many: string;
}

/** @returns the title of a resource in the middle of a sentence */
export function words(title: string): Words {
  const one = isAcronym(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
  return { one, a: `${article(one)} ${one}`, many: plural(one) };
}

/** The same by the name of the resource. */
export function wordsFor(others: Others, name: string): Words {
  return words(others.find(name)?.title ?? name);
}

/** `box tops` to `Box tops`. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number of bytes as people write it: 52428800 is `50 MiB`. */
export function bytesInWords(bytes: number): string {
  const unit = UNITS.find(({ size }) => bytes % size === 0);
  return unit === undefined ? `${bytes.toLocaleString('en')} bytes` : `${bytes / unit.size} ${unit.name}`;
}

const UNITS = ['GiB', 'MiB', 'KiB'].map((name, at) => ({ name, size: 1024 ** (3 - at) }));

function isAcronym(text: string): boolean {
  return /^[A-Z0-9][A-Z0-9]/.test(text);
}

/** By sound: `a user`, `a one-sided piece`, `an API key`, but `a URL`. */
function article(text: string): 'a' | 'an' {
  if (isAcronym(text)) return /^(?:[AEFHILMNORSX](?![a-z])|8|11|18)/.test(text) ? 'an' : 'a';
  return /^(?:[aeio]|u(?!ni|s[eu]|t[ei]))/i.test(text) && !/^(?:one|eu)/i.test(text) ? 'an' : 'a';
}

const IRREGULAR: Readonly<Record<string, string>> = { die: 'dice', person: 'people', child: 'children' };

function plural(text: string): string {
  const [, before = '', last = ''] = /^(.*?)(\w*)$/s.exec(text) ?? [];
  const irregular = IRREGULAR[last.toLowerCase()];
  if (irregular !== undefined) return before + irregular;
  if (/[^aeiou]y$/i.test(last)) return `${before}${last.slice(0, -1)}ies`;
  return `${text}${/(?:s|x|z|ch|sh)$/i.test(last) ? 'es' : 's'}`;
}
