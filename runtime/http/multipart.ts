// Reads multipart bodies: fields into the bag, the one part a route accepts to where files go, other files to nowhere.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { failed, ServiceError } from '../errors.js';
import type { Blobs, Received } from '../files/blobs.js';
import { type Bag, createCollector } from './bag.js';
import { endedEarly, MAX_BODY, tooLarge } from './body.js';

export type Files = Pick<Blobs, 'receive' | 'keep' | 'discard'>;

/** The file part that a route takes. */
export interface Part {
  readonly part: string;
  /** Bytes. */
  readonly maxBytes: number;
}

export interface Form {
  readonly parameters: Bag;
  /** Bytes under a temporary name; whoever asked for the form keeps or discards them. */
  readonly received: Received | null;
  /** Names of file parts that were read and dropped: clients send them where nothing takes them. */
  readonly dropped: readonly string[];
}

const MAX_PARTS = 1000;
const MAX_FILES = 20;

/**
 * Throws `malformed`, `too_large`, `storage_full`, `invalid` (the file part twice); then nothing is left of the files.
 * @param part null: the route takes no file
 */
export async function readMultipart(req: IncomingMessage, part: Part | null, files: Files): Promise<Form> {
  const parser = open(req, part);
  const dropped: string[] = [];
  let receiving: Promise<Received> | null = null;
  try {
    const parameters = await parse(req, parser, (name, stream, filename) => {
      if (name !== part?.part) {
        dropped.push(name);
        stream.resume();
        return null;
      }
      if (receiving !== null) throw failed([{ field: name, code: 'invalid', message: `${name} was given twice.` }]);
      receiving = files.receive(stream, { name: filename, maxBytes: part.maxBytes });
      return receiving;
    });
    return { parameters, received: await receiving, dropped };
  } catch (error) {
    await discard(receiving, files);
    throw error;
  }
}

function open(req: IncomingMessage, part: Part | null): busboy.Busboy {
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      limits: {
        fieldSize: MAX_BODY,
        parts: MAX_PARTS,
        files: MAX_FILES,
        headerPairs: 100,
        // One byte more than allowed, so that the receiver sees that it is too much.
        fileSize: part === null ? 1 : part.maxBytes + 1,
      },
    });
  } catch {
    throw new ServiceError('malformed', 'The multipart body has no boundary.');
  }
}

type TakeFile = (name: string, stream: Readable, filename: string) => Promise<unknown> | null;

function parse(req: IncomingMessage, parser: busboy.Busboy, takeFile: TakeFile): Promise<Bag> {
  return new Promise((resolve, reject) => {
    let over = false;
    const fail = (error: unknown) => {
      over = true;
      // The rest must still be read, else the connection could not be used again.
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
    const fields = createFields();
    parser.on('field', (name, value, { valueTruncated }) =>
      attempt(() => fields.add(name as string | undefined, value, valueTruncated)),
    );
    parser.on('file', (name, stream, { filename }) =>
      attempt(() => {
        stream.on('error', ignore);
        // What the parser still finds in the bytes it has is never fed to its end: to wait for it is to wait for ever.
        if (over) stream.destroy();
        else takeFile((name as string | undefined) ?? '', stream, filename ?? '')?.catch(fail);
      }),
    );
    for (const limit of ['partsLimit', 'filesLimit'] as const) parser.on(limit, () => fail(tooManyParts()));
    parser.once('error', () => fail(new ServiceError('malformed', 'The multipart body is broken.')));
    parser.on('error', ignore);
    parser.once('close', () => resolve(fields.bag));
    req.once('error', () => fail(endedEarly()));
    req.pipe(parser);
  });
}

function createFields() {
  const { bag, add } = createCollector();
  let size = 0;
  return {
    bag,
    add(name: string | undefined, value: string, truncated: boolean): void {
      size += value.length;
      if (truncated || size > MAX_BODY) throw tooLarge();
      if (name !== undefined && name !== '') add(name, value);
    },
  };
}

function tooManyParts(): ServiceError {
  return new ServiceError('malformed', `The body must not have more than ${MAX_PARTS} parts or ${MAX_FILES} files.`);
}

async function discard(receiving: Promise<Received> | null, files: Files): Promise<void> {
  const received = await receiving?.catch(() => null);
  if (received) await files.discard(received);
}

function ignore(): void {}
