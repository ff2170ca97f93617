// Recognizes an SVG document and its size from the prolog and the root element. It does not use an XML library: sax and saxes
// create an Error with its stack for each mistake, which takes a third of a second for the head of a hostile file, and sax
// throws at an attribute called hasOwnProperty.

export interface Pixels {
  readonly width: number;
  readonly height: number;
}

const NAMESPACE = 'http://www.w3.org/2000/svg';
/** A root element that starts later is not found; this limits the work on hostile bytes. */
const HEAD_BYTES = 64 * 1024;

/**
 * Null: not SVG; the root element is not `svg` in the SVG namespace.
 * `pixels` null: SVG without a size.
 */
export function readSvg(bytes: Uint8Array): { readonly pixels: Pixels | null } | null {
  const text = decode(bytes.subarray(0, HEAD_BYTES));
  const prolog = skipProlog(text);
  const root = rootElement(text, prolog.end);
  if (root === null) return null;
  const [local, prefix] = root.name.split(':').reverse();
  const namespace = root.attributes.get(prefix === undefined ? 'xmlns' : `xmlns:${prefix}`);
  if (local !== 'svg' || namespace === undefined || expandEntity(namespace, prolog.subset) !== NAMESPACE) return null;
  return { pixels: size(root.attributes) };
}

function decode(bytes: Uint8Array): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

const DOCTYPE = /<!DOCTYPE(?:[^["'>]|"[^"]*"|'[^']*')*(?:\[((?:[^\]"']|"[^"]*"|'[^']*')*)\]\s*)?>/y;
const SKIPPED = [/\s+/y, /<\?[\s\S]*?\?>/y, /<!--[\s\S]*?-->/y, DOCTYPE];

function skipProlog(text: string): { end: number; subset: string } {
  let end = 0;
  let subset = '';
  for (let hasMatch = true; hasMatch; ) {
    hasMatch = false;
    for (const pattern of SKIPPED) {
      pattern.lastIndex = end;
      const match = pattern.exec(text);
      if (match === null) continue;
      hasMatch = true;
      end = pattern.lastIndex;
      subset = match[1] ?? subset;
    }
  }
  return { end, subset };
}

const ROOT = /<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function rootElement(text: string, start: number): { name: string; attributes: Map<string, string> } | null {
  ROOT.lastIndex = start;
  const match = ROOT.exec(text);
  if (match === null) return null;
  const attributes = new Map<string, string>();
  for (const [, name, double, single] of (match[2] ?? '').matchAll(ATTRIBUTE)) {
    attributes.set(name ?? '', double ?? single ?? '');
  }
  return { name: match[1] ?? '', attributes };
}

/** Some drawing programs write the namespace as an entity declared in the document type. */
function expandEntity(value: string, subset: string): string {
  const name = /^&([\w.-]+);$/.exec(value)?.[1];
  if (name === undefined) return value;
  for (const [, entity, double, single] of subset.matchAll(/<!ENTITY\s+([\w.-]+)\s+(?:"([^"]*)"|'([^']*)')/g)) {
    if (entity === name) return double ?? single ?? '';
  }
  return value;
}

/** The library knows the units; it gets the root's three attributes in the one form that it understands. */
function size(attributes: Map<string, string>): Pixels | null {
  const attributeTexts = ['width', 'height', 'viewBox'].map((name) => {
    const value = (attributes.get(name) ?? '').replace(/[\s,]+/g, ' ').trim();
    return /^[\w .+-]{1,100}$/.test(value) ? ` ${name}="${value}"` : '';
  });
  // A failure to load the library says nothing about the image.
  const { imageSize } = require('image-size') as typeof import('image-size');
  try {
    const { width, height } = imageSize(Buffer.from(`<svg xmlns="x"${attributeTexts.join('')}></svg>`));
    return pixels(width, height);
  } catch {
    return null;
  }
}

/** Null unless both are whole numbers that an image can have. */
export function pixels(width: number, height: number): Pixels | null {
  const isPossible = (side: number): boolean => Number.isInteger(side) && side > 0 && side < 2 ** 31;
  return isPossible(width) && isPossible(height) ? { width, height } : null;
}
