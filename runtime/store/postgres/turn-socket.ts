// A socket that sends together what is written in one turn of the event loop: a system call costs this process more than all
// else that it does for a statement, and a client makes one for each. A server that is gone without a word does not delay the end.
import { Socket } from 'node:net';

export function createTurnSocket(): Socket {
  const socket = new Socket();
  // Not before: connecting gives a socket its own `write` back.
  socket.once('connect', () => holdWrites(socket));
  // Everything has been answered: only the other side's end is still to come.
  socket.once('finish', () => socket.setTimeout(FAREWELL, () => socket.destroy()));
  return socket;
}

/** Milliseconds that the server gets to close its side. */
const FAREWELL = 1_000;

/** As one piece: a list of pieces costs a create 10 % more processor time. */
function holdWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean;
  let held: Uint8Array[] = [];
  const send = (): void => {
    const pieces = held;
    held = [];
    if (pieces.length > 0) write(Buffer.concat(pieces));
  };
  socket.write = (...written: unknown[]): boolean => {
    const [piece] = written;
    // Only the last message of a connection comes with more than its bytes.
    if (written.length > 1 || !(piece instanceof Uint8Array)) {
      send();
      return write(...written);
    }
    // After everything that promises do in this turn.
    if (held.length === 0) process.nextTick(send);
    held.push(piece);
    return true;
  };
}
