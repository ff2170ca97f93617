// Encodes named parameters as a query, JSON, form or multipart body. Names may be repeated; nothing is checked.

import type { Chance } from '../support/chance.js';
import type { Value } from './values.js';

export type Pairs = readonly (readonly [name: string, value: Value])[];

export interface EncodedBody {
  readonly type: string;
  readonly body: Buffer;
}

export interface FilePart {
  readonly name: string;
  readonly filename: string;
  readonly bytes: Buffer;
}

export function asQuery(pairs: Pairs): string {
  return pairs.map(([name, { text }]) => `${percent(name)}=${percent(text)}`).join('&');
}

/** Unlike encodeURIComponent, it accepts lone surrogates. */
function percent(text: string): string {
  const bytes = Buffer.from(text).toString('latin1');
  return bytes.replace(/[^\w.~-]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

export function asJson(pairs: Pairs): EncodedBody {
  const members = pairs.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`);
  return { type: 'application/json', body: Buffer.from(`{${members.join(',')}}`) };
}

export function asForm(pairs: Pairs): EncodedBody {
  return { type: 'application/x-www-form-urlencoded', body: Buffer.from(asQuery(pairs)) };
}

const BOUNDARY = '----b0undary';

export function asMultipart(pairs: Pairs, files: readonly FilePart[] = []): EncodedBody {
  const fields = pairs.map(([name, { text }]) =>
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name.replace(/"/g, '%22')}"\r\n\r\n${text}\r\n`,
    ),
  );
  const parts = files.map(({ name, filename, bytes }) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n`),
      Buffer.from('Content-Type: image/png\r\n\r\n'),
      bytes,
      Buffer.from('\r\n'),
    ]),
  );
  const body = Buffer.concat([...fields, ...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body };
}

export function encode(pairs: Pairs, chance: Chance): EncodedBody {
  return chance.one([asJson, asJson, asForm, asMultipart])(pairs);
}
