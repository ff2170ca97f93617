// A connection of the load. It reads only as much of an answer as counting requires.

import net from 'node:net';

export interface Connection {
  /** Sends a request; one is under way at a time. */
  ask(request: Buffer, answered: (isFailure: boolean) => void): void;
  end(): void;
}

/** A broken connection ends the process. */
export function connect(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(65_536);
    let [missing, isFailure] = [0, false];
    let answered: (isFailure: boolean) => void = () => undefined;
    const callback = (length: number): boolean => {
      if (missing > 0) missing -= length;
      else {
        isFailure = (buffer[9] ?? 0) > 0x32;
        missing = sizeOf(buffer, length) - length;
      }
      if (missing === 0) answered(isFailure);
      return true;
    };
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    const ask: Connection['ask'] = (request, then) => {
      answered = then;
      socket.write(request);
    };
    socket.once('connect', () => resolve({ ask, end: () => socket.destroy() }));
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('the server has closed a connection')));
  });
}

/** The length in bytes of the whole answer whose head the buffer holds. */
function sizeOf(buffer: Buffer, length: number): number {
  const head = buffer.toString('latin1', 0, Math.min(length, 2048));
  const end = head.indexOf('\r\n\r\n');
  const body = /^content-length: (\d+)/im.exec(head)?.[1];
  if (end < 0 || body === undefined) throw new Error(`not a head with Content-Length: ${head}`);
  return end + 4 + Number(body);
}
