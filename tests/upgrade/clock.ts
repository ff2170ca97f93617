// Loaded into a server in front of everything else: its clock is off by CLOCK_OFFSET milliseconds, so that sessions and
// keys of a recorded database are as old as they were then. Servers that share a database share the offset: claims of
// one with a clock that is behind would end too early for the other.

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
