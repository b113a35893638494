// Preloaded into a process (NODE_OPTIONS=--require …) to have its wall clock wrong by CHAOS_CLOCK_SHIFT_MS. Its children
// inherit it. Timers and the monotonic clock are right, as on a machine whose clock was set wrongly.
const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0);
const RightDate = Date;

globalThis.Date = class ShiftedDate extends RightDate {
  constructor(...args) {
    if (args.length === 0) super(RightDate.now() + shiftMs);
    else super(...args);
  }
  static now() {
    return RightDate.now() + shiftMs;
  }
};
// Next builds a Date of its own from this one's own properties.
for (const name of ['UTC', 'parse'])
  Object.defineProperty(globalThis.Date, name, Object.getOwnPropertyDescriptor(RightDate, name));
