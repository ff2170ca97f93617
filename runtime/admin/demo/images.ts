// Draws the two small images of the demo's files.

import { crc32, deflateSync } from 'node:zlib';

/** A PNG of 8 by 8 pixels in one colour. */
export function pngSquare(red: number, green: number, blue: number): Buffer {
  const side = 8;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits a channel, red green blue.
  header.set([8, 2], 8);
  const line = [0, ...Array.from({ length: side }, () => [red, green, blue]).flat()];
  const pixels = Buffer.from(Array.from({ length: side }, () => line).flat());
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A cut line in the shape of a hexagon. */
export const SVG_HEXAGON = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">' +
    '<polygon points="50,2 92,26 92,74 50,98 8,74 8,26" fill="none" stroke="#f00"/></svg>\n',
);
