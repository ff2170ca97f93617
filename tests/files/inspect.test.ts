// Type and pixel size are read from the bytes (D34); whatever they are, nothing is thrown.

import fc from 'fast-check';
import { HEAD_BYTES, inspect } from '../../runtime/files/inspect.js';
import { GIF, JPEG, PNG, patched, SVG, SVG_SCRIPT, WEBP, WEBP_ALPHA, WEBP_LOSSLESS } from './samples.js';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const UNKNOWN = ['application/octet-stream', null, null];

/** A JPEG of 4 x 3 with that many empty segments before its frame header. */
const segmented = (count: number) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    Buffer.from([0xff, 0xe1, 0, 2].concat(...Array<number[]>(count - 1).fill([0xff, 0xe1, 0, 2]))),
    Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 3, 0, 4, 3, 1, 0x22, 0]),
  ]);

const known: [string, Buffer | string, unknown[]][] = [
  ['PNG', PNG, ['image/png', 1, 1]],
  ['PNG of 300 x 2', patched(PNG, 16, 0, 0, 1, 44, 0, 0, 0, 2), ['image/png', 300, 2]],
  ['GIF', GIF, ['image/gif', 1, 1]],
  ['GIF of 3 x 258', patched(GIF, 6, 3, 0, 2, 1), ['image/gif', 3, 258]],
  ['older GIF', patched(GIF, 4, 0x37), ['image/gif', 1, 1]],
  ['JPEG', JPEG, ['image/jpeg', 1, 1]],
  ['F26: JPEG of many segments', segmented(999), ['image/jpeg', 4, 3]],
  [
    'JPEG, differential and arithmetic',
    Buffer.from([0xff, 0xd8, 0xff, 0xff, 0xc4, 0, 2, 0xff, 0xcd, 0, 8, 8, 0, 2, 1, 0]),
    ['image/jpeg', 256, 2],
  ],
  ['WebP, lossy', WEBP, ['image/webp', 1, 1]],
  ['WebP, lossless', WEBP_LOSSLESS, ['image/webp', 1, 1]],
  ['WebP, extended', WEBP_ALPHA, ['image/webp', 1, 1]],
  ['PDF', '%PDF-1.7\n', ['application/pdf', null, null]],
  ['zip', 'PK\x03\x04rest', ['application/zip', null, null]],
  ['empty zip', 'PK\x05\x06', ['application/zip', null, null]],
  ['SVG', SVG, ['image/svg+xml', 30, 20]],
  ['SVG with script', SVG_SCRIPT, ['image/svg+xml', 3, 2]],
  ['SVG with units', `<svg ${NS} width="1in" height="2.54cm"/>`, ['image/svg+xml', 96, 96]],
  ['SVG with commas in its view box', `<svg ${NS} viewBox='0,0,7,8'/>`, ['image/svg+xml', 7, 8]],
  ['SVG in per cent', `<svg ${NS} width="100%" height="100%"/>`, ['image/svg+xml', null, null]],
  [
    'SVG with an attribute that every object has',
    `<svg hasOwnProperty="" __proto__="" ${NS} width="4" height="5"/>`,
    ['image/svg+xml', 4, 5],
  ],
  ['SVG without a size', `<svg ${NS}/>`, ['image/svg+xml', null, null]],
  ['SVG of size 0', `<svg ${NS} width="0" height="0"/>`, ['image/svg+xml', null, null]],
  ['SVG with a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="4" height="5"/>', ['image/svg+xml', 4, 5]],
  ['SVG after a long prolog', `\ufeff<?xml version="1.0"?>\n<!-- <html> -->\n${SVG}`, ['image/svg+xml', 30, 20]],
  [
    'SVG of a drawing program',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [ <!ENTITY ns_svg "http://www.w3.org/2000/svg"> ]><svg xmlns="&ns_svg;" width="2" height="2"></svg>`,
    ['image/svg+xml', 2, 2],
  ],
  ['SVG in UTF-16', Buffer.from(`\ufeff${SVG}`, 'utf16le'), ['image/svg+xml', 30, 20]],
];

const unknown: [string, Buffer | string][] = [
  ['nothing', ''],
  ['text', 'hello'],
  ['a page that holds an SVG', `<html><body>${SVG}</body></html>`],
  ['svg of no namespace', '<svg width="1" height="1"/>'],
  ['svg of another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml"/>'],
  ['an SVG in a comment', `<!-- ${SVG} -->`],
  ['an SVG behind text', `x${SVG}`],
  ['an SVG behind an open comment', `<!-- ${SVG}`],
  ['a PNG signature and no more', PNG.subarray(0, 8)],
  ['a PNG cut before its size', PNG.subarray(0, 18)],
  ['a PNG of width 0', patched(PNG, 16, 0, 0, 0, 0)],
  ['a PNG wider than the format allows', patched(PNG, 16, 255, 255, 255, 255)],
  ['a PNG whose first chunk is another', patched(PNG, 12, 0x41)],
  ['F26: a JPEG of too many segments', segmented(1000)],
  ['a JPEG cut before its size', JPEG.subarray(0, 92)],
  ['a JPEG of one repeated byte', Buffer.concat([JPEG.subarray(0, 3), Buffer.alloc(1000, 0xff)])],
  ['a GIF cut in its size', GIF.subarray(0, 7)],
  ['a WebP cut in its size', WEBP.subarray(0, 24)],
  ['a bitmap', Buffer.from('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0', 'latin1')],
];

describe('inspect', () => {
  test.each(known)('%s', (_name, bytes, [type, width, height]) => {
    expect(inspect(Buffer.from(bytes as Buffer))).toEqual({ type, width, height });
  });

  test.each(unknown)('unknown: %s', (_name, bytes) => {
    const { type, width, height } = inspect(Buffer.from(bytes as Buffer));
    expect([type, width, height]).toEqual(UNKNOWN);
  });

  test('inspect throws for no bytes', () => {
    const starts = [PNG, GIF, JPEG, WEBP, WEBP_ALPHA, SVG, Buffer.from('<!DOCTYPE svg ['), Buffer.alloc(0)];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(70), fc.uint8Array({ maxLength: 200 }), (start, cut, rest) => {
        const inspected = inspect(Buffer.concat([start.subarray(0, cut), rest]));
        expect(inspected.width === null || inspected.width > 0).toBe(true);
      }),
    );
  });

  test.each([
    ['a JPEG that never says its size', Buffer.concat([JPEG.subarray(0, 3), Buffer.alloc(HEAD_BYTES - 3)])],
    ['open quotes', Buffer.from(`<!DOCTYPE svg [${`"`.repeat(HEAD_BYTES - 15)}`)],
    ['comments that open', Buffer.from('<!--'.repeat(HEAD_BYTES / 4))],
    ['attributes without end', Buffer.from(`<svg ${'a="" '.repeat(HEAD_BYTES / 5)}`)],
    ['a mistake in every byte', Buffer.from(`<svg ${'"'.repeat(HEAD_BYTES - 5)}`)],
    ['a wrong entity in every other byte', Buffer.from(`<svg ${NS} width="${'&;'.repeat(30_000)}"/>`)],
    ['names without end', Buffer.from(`<svg ${'a'.repeat(HEAD_BYTES - 5)}`)],
    ['blanks without end', Buffer.from(`<svg${' '.repeat(HEAD_BYTES - 4)}`)],
    ['instructions without end', Buffer.from('<?a?>'.repeat(HEAD_BYTES / 5))],
    ['a long attribute', Buffer.from(`<svg ${NS} width="${'1'.repeat(60_000)}"/>`)],
  ])('hostile: %s has no size, and is read to the end of its head at most', (_name, bytes) => {
    const { width, height } = inspect(bytes);
    expect([width, height]).toEqual([null, null]);
  });
});
