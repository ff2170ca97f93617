// Outputs that are rendered only when what they are made of has changed, or when somebody asks for their text.

import type { Desk, Kind } from './desk.js';
import { type Content, hashed, knownOutput, type Output } from './output.js';
import { keyOf } from './stable-text.js';
import type { Pieces } from './views/openapi/document.js';
import { parsePiece, pieceText } from './views/openapi/piece-text.js';
import { piece } from './views/openapi/pieces.js';

type Hashed = Output & Content;

/**
 * @param key says everything that the outputs depend on
 * @param make renders them all
 * @returns the outputs; those remembered know their paths and hashes and are rendered when their text is asked for
 */
export function rememberedOutputs(
  { memo, work }: Desk,
  kind: Kind,
  key: string,
  make: () => readonly Output[],
): readonly Output[] {
  let made: readonly Hashed[] | null = null;
  const rendered = (): readonly Hashed[] => {
    if (made !== null) return made;
    made = make().map(hashed);
    work.rendered.push(...made.map(({ path }) => path));
    return made;
  };
  const known = memo.recall(kind, key);
  if (known === null) {
    memo.keep(kind, key, JSON.stringify(rendered().map(({ path, hash }) => [path, hash])));
    return rendered();
  }
  const hashes = JSON.parse(known) as readonly (readonly [path: string, hash: string])[];
  return hashes.map(([path, hash]) => knownOutput(path, hash, () => textOf(rendered(), path)));
}

function textOf(outputs: readonly Output[], path: string): string {
  const found = outputs.find((output) => output.path === path);
  if (found === undefined) throw new Error(`${path} is remembered but not rendered: the memo's key says too little`);
  return found.text;
}

/**
 * The pieces of the API document, each made only when what it is made of has changed.
 * @param keys of the resources, by name
 */
export function rememberedPieces({ memo, work }: Desk, keys: ReadonlyMap<string, string>): Pieces {
  return (resource, near) => {
    // The key of the resource says all about it; of the others it reads only what is near.
    const others = { ...near, resources: near.resources.filter(({ name }) => name !== resource.name) };
    const key = keyOf(keys.get(resource.name) ?? resource, others);
    const known = memo.recall('piece', key);
    if (known !== null) return parsePiece(known);
    const made = piece(resource, near);
    work.rendered.push(`openapi.json#${resource.name}`);
    memo.keep('piece', key, pieceText(made));
    return made;
  };
}
