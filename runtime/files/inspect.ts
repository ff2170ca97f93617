// Detects media type and pixel size from the bytes. File names and declared types are ignored.

import { jpegSize } from './jpeg.js';
import { type Pixels, pixels, readSvg } from './svg.js';

export interface FileProperties {
  readonly type: string;
  /** Pixels; null if it is not an image or has no size. */
  readonly width: number | null;
  readonly height: number | null;
}

/** How many bytes from the start `inspect` needs; in a JPEG the size follows the metadata. */
export const HEAD_BYTES = 1024 * 1024;

export const RASTER_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const UNKNOWN: FileProperties = { type: 'application/octet-stream', width: null, height: null };

/** Signatures (in Latin-1) by offset, the image library's name for the format, and its media type. */
const RASTERS = [
  { starts: { 0: '\x89PNG\r\n\x1a\n' }, kind: 'png', type: 'image/png' },
  { starts: { 0: '\xff\xd8\xff' }, kind: 'jpg', type: 'image/jpeg' },
  { starts: { 0: 'GIF87a' }, kind: 'gif', type: 'image/gif' },
  { starts: { 0: 'GIF89a' }, kind: 'gif', type: 'image/gif' },
  { starts: { 0: 'RIFF', 8: 'WEBPVP8' }, kind: 'webp', type: 'image/webp' },
];
const OTHERS = [
  { starts: { 0: '%PDF-' }, type: 'application/pdf' },
  { starts: { 0: 'PK\x03\x04' }, type: 'application/zip' },
  { starts: { 0: 'PK\x05\x06' }, type: 'application/zip' },
];

/**
 * Never throws; an unknown format, or an image truncated before its size, is `application/octet-stream`.
 * @param head the first bytes of the file
 */
export function inspect(head: Uint8Array): FileProperties {
  const start = Buffer.from(head.subarray(0, 16)).toString('latin1');
  const raster = RASTERS.find(({ starts }) => matches(start, starts));
  if (raster !== undefined) {
    const size = rasterSize(head, raster.kind);
    return size === null ? UNKNOWN : { type: raster.type, ...size };
  }
  const other = OTHERS.find(({ starts }) => matches(start, starts));
  if (other !== undefined) return { ...UNKNOWN, type: other.type };
  const svg = readSvg(head);
  if (svg === null) return UNKNOWN;
  return { type: 'image/svg+xml', width: svg.pixels?.width ?? null, height: svg.pixels?.height ?? null };
}

function matches(start: string, signature: Readonly<Record<number, string>>): boolean {
  return Object.entries(signature).every(([offset, text]) => start.startsWith(text, Number(offset)));
}

function rasterSize(head: Uint8Array, kind: string): Pixels | null {
  // For each segment of a JPEG, the library copies the rest of the file.
  if (kind === 'jpg') return jpegSize(head);
  const { imageSize } = require('image-size') as typeof import('image-size');
  try {
    // A copy of exactly these bytes, because the library reads past the end of a view that is too short.
    const { type, width, height } = imageSize(new Uint8Array(head));
    return type === kind ? pixels(width, height) : null;
  } catch {
    return null;
  }
}
