// Reads multipart bodies: fields become parameters, the file part that the route accepts is stored, other files are dropped.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Busboy } from 'busboy';
import { REQUESTS } from '../contract/defaults.js';
import { failed, ServiceError } from '../contract/errors.js';
import type { Blobs, ReceivedFile } from '../files/blobs.js';
import { endedEarly, tooLarge } from './errors.js';
import { createCollector, type RawParameters } from './raw-parameters.js';

export type Files = Pick<Blobs, 'receive' | 'keep' | 'discard' | 'settle'>;

/** The file part that a route accepts. */
export interface AcceptedPart {
  readonly part: string;
  /** Bytes. */
  readonly maxBytes: number;
}

export interface Form {
  readonly parameters: RawParameters;
  /** Bytes under a temporary name; the caller keeps or discards them. */
  readonly received: ReceivedFile | null;
  /** Names of file parts that were dropped, because nothing accepts them. */
  readonly dropped: readonly string[];
}

/** Receives the file part that the route accepts; `fields` are the parameters that precede it. */
export type ReceivePart = (part: IncomingFile, fields: RawParameters) => Promise<ReceivedFile>;

export interface IncomingFile {
  readonly stream: Readable;
  /** The client's name for it. */
  readonly name: string;
  /** Bytes that the route accepts. */
  readonly maxBytes: number;
}

/** What a body is read with. */
export interface BodyReader {
  readonly part: AcceptedPart | null;
  /** May throw to refuse the part before it is read. */
  receive: ReceivePart;
  discard(received: ReceivedFile): Promise<void>;
  /** Called before bytes are kept in memory; may throw. Absent: they are not counted. */
  hold?(bytes: number): void;
}

const MAX_PARTS = 1000;
const MAX_FILES = 20;

/** Bytes for everything but the fields and the accepted file: dropped files and the heads of parts. */
const SLACK = 16 * REQUESTS.body;

/** How many bytes a multipart body may have. */
export function multipartLimit(part: AcceptedPart | null): number {
  return REQUESTS.body + SLACK + (part?.maxBytes ?? 0);
}

/**
 * Throws `malformed`, `too_large`, `storage_full`, `invalid` (the file part twice), and what `reader` throws. If it
 * throws, the received file is discarded.
 */
export async function readMultipart(req: IncomingMessage, reader: BodyReader): Promise<Form> {
  const { part } = reader;
  const parser = open(req, part);
  const fields = createFields();
  const dropped: string[] = [];
  let receiving: Promise<ReceivedFile | null> | null = null;
  try {
    const meter = createMeter(multipartLimit(part), reader.hold);
    await parse(req, { parser, fields, meter }, (name, stream, filename) => {
      if (name !== part?.part) {
        dropped.push(name);
        stream.resume();
        return null;
      }
      if (receiving !== null) throw failed([{ field: name, code: 'invalid', message: `${name} was sent twice.` }]);
      const receive = () => reader.receive({ stream, name: filename, maxBytes: part.maxBytes }, fields.parameters);
      receiving = filename === '' ? receiveChosen(stream, receive) : receive();
      return receiving;
    });
    return { parameters: fields.parameters, received: await receiving, dropped };
  } catch (error) {
    const received = await (receiving as Promise<ReceivedFile | null> | null)?.catch(() => null);
    if (received) await reader.discard(received);
    throw error;
  }
}

/** Null for the part without a name and without bytes that browsers send for a field in which no file was chosen. */
async function receiveChosen(stream: Readable, receive: () => Promise<ReceivedFile>): Promise<ReceivedFile | null> {
  await once(stream, 'readable');
  if (stream.readableLength > 0) return receive();
  stream.resume();
  return null;
}

function open(req: IncomingMessage, part: AcceptedPart | null): Busboy {
  // Loaded when first used, so that a start does not wait for it.
  const createParser = require('busboy') as typeof import('busboy');
  try {
    return createParser({
      headers: req.headers,
      defParamCharset: 'utf8',
      limits: {
        fieldSize: REQUESTS.body,
        parts: MAX_PARTS,
        files: MAX_FILES,
        headerPairs: 100,
        // One byte more than allowed, so that the receiver notices an excess.
        fileSize: part === null ? 1 : part.maxBytes + 1,
      },
    });
  } catch (error) {
    throw isMalformed(error) ? new ServiceError('malformed', 'The multipart body has no boundary.') : error;
  }
}

/** The parser's messages for bytes and heads that are not a form; any other error is not the caller's mistake. */
const MALFORMED: ReadonlySet<unknown> = new Set([
  'Malformed content type',
  'Multipart: Boundary not found',
  'Malformed part header',
  'Unexpected end of form',
]);

function isMalformed(error: unknown): boolean {
  return MALFORMED.has((error as Partial<Error> | null)?.message);
}

interface MultipartParse {
  readonly parser: Busboy;
  readonly fields: ReturnType<typeof createFields>;
  /** Called with the bytes of each chunk; may throw. */
  meter(bytes: number): void;
}

type TakeFile = (name: string, stream: Readable, filename: string) => Promise<unknown> | null;

function parse(req: IncomingMessage, { parser, fields, meter }: MultipartParse, takeFile: TakeFile): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const measure = (chunk: Buffer) => attempt(() => meter(chunk.length));
    const fail = (error: unknown) => {
      over = true;
      req.off('data', measure);
      // The rest must still be read, or the connection could not be reused.
      req.unpipe(parser).resume();
      parser.destroy();
      reject(error);
    };
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        fail(error);
      }
    };
    parser.on('field', (name, value, { valueTruncated }) =>
      attempt(() => fields.add(name as string | undefined, value, valueTruncated)),
    );
    parser.on('file', (name, stream, { filename }) =>
      attempt(() => {
        stream.on('error', ignore);
        // After a failure the parser is fed no more, so a file it still finds in its buffer would never end.
        if (over) stream.destroy();
        else takeFile((name as string | undefined) ?? '', stream, filename ?? '')?.catch(fail);
      }),
    );
    for (const limit of ['partsLimit', 'filesLimit'] as const) parser.on(limit, () => fail(tooManyParts()));
    parser.once('error', (error) =>
      fail(isMalformed(error) ? new ServiceError('malformed', 'The multipart body is not valid.') : error),
    );
    parser.on('error', ignore);
    parser.once('close', () => resolve());
    req.once('error', () => fail(endedEarly()));
    req.on('data', measure).pipe(parser);
  });
}

/** Counts incoming bytes up to `most`, and holds as many as fields may take up, including an unfinished one. */
function createMeter(most: number, hold: BodyReader['hold']): (bytes: number) => void {
  let seen = 0;
  return (bytes) => {
    const before = Math.min(seen, 2 * REQUESTS.body);
    seen += bytes;
    if (seen > most) throw tooLarge(most);
    hold?.(Math.min(seen, 2 * REQUESTS.body) - before);
  };
}

function createFields() {
  const { parameters, add } = createCollector();
  let size = 0;
  return {
    parameters,
    add(name: string | undefined, value: string, truncated: boolean): void {
      size += value.length;
      if (truncated || size > REQUESTS.body) throw tooLarge(REQUESTS.body);
      if (name !== undefined && name !== '') add(name, value);
    },
  };
}

function tooManyParts(): ServiceError {
  return new ServiceError('malformed', `The body must not have more than ${MAX_PARTS} parts or ${MAX_FILES} files.`);
}

function ignore(): void {}
