// Reads the pixel size of a JPEG by walking a limited number of segments up to the frame header.
import { type Pixels, pixels } from './svg.js';

/** Cameras and editors write a few dozen; the limit keeps a file of tiny segments from being walked to its end. */
const MAX_SEGMENTS = 1000;

const [MARKER, FIRST_FRAME, LAST_FRAME] = [0xff, 0xc0, 0xcf];
/** Markers in the range of frame headers that are not: Huffman tables, an extension, arithmetic conditioning. */
const NOT_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc];

/** Null if the frame header is not among the first segments, or not in `head`. */
export function jpegSize(head: Uint8Array): Pixels | null {
  const bytes = new DataView(head.buffer, head.byteOffset, head.byteLength);
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && at + 9 <= head.length; segment++) {
    if (head[at] !== MARKER) return null;
    const kind = head[at + 1] ?? 0;
    if (isFrame(kind)) return pixels(bytes.getUint16(at + 7), bytes.getUint16(at + 5));
    // Any number of fill bytes may precede a marker.
    at += kind === MARKER ? 1 : 2 + bytes.getUint16(at + 2);
  }
  return null;
}

function isFrame(kind: number): boolean {
  return kind >= FIRST_FRAME && kind <= LAST_FRAME && !NOT_FRAMES.includes(kind);
}
