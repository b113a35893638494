interface CountdownParts {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/**
 * Splits what is left into figures. Whole seconds are rounded up, so that 0 is shown exactly when nothing is left.
 * @param leftMs ms; negative counts as 0
 */
export function countdownParts(leftMs: number): CountdownParts {
  const total = Math.max(0, Math.ceil(leftMs / 1000));
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  };
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** `14:32`, or `1:04:32` above an hour; days count as hours. For short deadlines inside a sentence. */
export function formatShort(leftMs: number): string {
  const { days, hours, minutes, seconds } = countdownParts(leftMs);
  const allHours = days * 24 + hours;
  const tail = `${twoDigits(minutes)}:${twoDigits(seconds)}`;
  return allHours > 0 ? `${allHours}:${tail}` : tail;
}

/** How long the figures shown for `leftMs` stay right, in ms: until the next whole second. */
export function msToNextTick(leftMs: number): number {
  if (leftMs <= 0) return 1000;
  const rest = leftMs % 1000;
  return rest === 0 ? 1000 : rest;
}
