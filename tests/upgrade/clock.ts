// Loaded into a server in front of everything else: its clock starts at the moment that UPGRADE_NOW names, in epoch
// milliseconds, so that sessions and keys of a recorded database are as old as they were then.

const offset = Number(process.env.UPGRADE_NOW) - Date.now();
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
