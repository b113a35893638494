const MOST_DIGITS = 9;

/** Returns the whole number from 0 that somebody typed; NaN for anything else. */
export function wholeNumber(text: string): number {
  const typed = text.trim();
  return /^\d+$/.test(typed) && typed.length <= MOST_DIGITS ? Number(typed) : Number.NaN;
}
