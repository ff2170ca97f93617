// Preloaded into a server: shifts its clock by CLOCK_OFFSET milliseconds, so that sessions and keys of a recorded database are
// as old as at the recording. Servers that share a database share the offset, since the claims of a server whose clock is
// behind would end too early for the others.

const offset = Number(process.env.CLOCK_OFFSET);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...parts: readonly unknown[]) {
    if (parts.length === 0) super(RealDate.now() + offset);
    else super(...(parts as [number]));
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
