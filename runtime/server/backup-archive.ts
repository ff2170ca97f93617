// Streams the folder of a backup as a tar archive (POSIX ustar).

import { createReadStream } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const BLOCK = 512;

/** @param folder the archive holds it under its own name */
export async function* archiveOf(folder: string): AsyncGenerator<Buffer> {
  for await (const path of filesBelow(folder, basename(folder))) {
    const source = join(dirname(folder), path);
    const { size, mtimeMs } = await stat(source);
    yield headOf(path, size, Math.floor(mtimeMs / 1000));
    for await (const chunk of createReadStream(source)) yield chunk as Buffer;
    yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

async function* filesBelow(folder: string, path: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const [inner, name] = [join(folder, entry.name), `${path}/${entry.name}`];
    if (entry.isDirectory()) yield* filesBelow(inner, name);
    else if (entry.isFile()) yield name;
  }
}

function headOf(path: string, size: number, modified: number): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  head.write(basename(path), 0, 100);
  head.write(`${octal(0o600, 7)}${octal(0, 7)}${octal(0, 7)}`, 100);
  if (size < 8 ** 11) head.write(octal(size, 11), 124);
  else {
    // The size is binary, because the octal digits have no room for it.
    head[124] = 0x80;
    head.writeBigUInt64BE(BigInt(size), 128);
  }
  head.write(octal(modified, 11), 136);
  head.write('        0', 148);
  head.write('ustar\x0000', 257);
  head.write(dirname(path), 345, 155);
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${octal(sum, 6)} `, 148);
  return head;
}
