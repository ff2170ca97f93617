// A piece of the API document as one text, to be remembered from run to run, and back. Changes nothing in it.

import type { Part, Piece } from './pieces.js';

/** A line of JSON that says what is in it, with the length of each text, and the texts themselves. */
export function pieceText({ own, aliases, components }: Piece): string {
  const texts = [...own, ...aliases, ...components].map(({ text }) => text);
  const head = { own: own.map(headOf), aliases: aliases.map(headOf), components: components.map(headOf) };
  return `${JSON.stringify(head)}\n${texts.join('')}`;
}

export function parsePiece(text: string): Piece {
  const body = text.indexOf('\n') + 1;
  const head = JSON.parse(text.slice(0, body)) as Readonly<Record<keyof Piece, readonly Headed[]>>;
  let at = body;
  const withText = ({ length, ...rest }: Headed): Part => {
    at += length;
    return { ...rest, text: text.slice(at - length, at) };
  };
  const [own, aliases] = [head.own.map(withText), head.aliases.map(withText)];
  return { own, aliases, components: head.components.map(withText) } as unknown as Piece;
}

interface Headed extends Omit<Part, 'text'> {
  readonly length: number;
}

function headOf<T extends Part>({ text, ...rest }: T): Omit<T, 'text'> & Headed {
  return { ...rest, length: text.length };
}
