interface CountdownParts {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/**
 * Splits the time left into days, hours, minutes and seconds. Rounds up to whole seconds, so that 0 appears exactly
 * when no time is left.
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

/**
 * Formats the time left as `14:32`, or `1:04:32` above an hour; days count as hours. For short deadlines inside a
 * sentence.
 */
export function formatShort(leftMs: number): string {
  const { days, hours, minutes, seconds } = countdownParts(leftMs);
  const allHours = days * 24 + hours;
  const tail = `${twoDigits(minutes)}:${twoDigits(seconds)}`;
  return allHours > 0 ? `${allHours}:${tail}` : tail;
}

/** Returns for how many ms the figures for `leftMs` stay right: until the next whole second. */
export function msToNextTick(leftMs: number): number {
  if (leftMs <= 0) return 1000;
  const rest = leftMs % 1000;
  return rest === 0 ? 1000 : rest;
}
