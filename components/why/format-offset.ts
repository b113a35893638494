const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Formats how far a moment lies from the start of a sale, in the unit a person would use: `0.8 sec`, `12 min`, `3 hr`. */
export function formatOffset(ms: number, locale: string): string {
  const far = Math.abs(ms);
  const [unit, size] =
    far < MINUTE
      ? (['second', SECOND] as const)
      : far < 2 * HOUR
        ? (['minute', MINUTE] as const)
        : (['hour', HOUR] as const);
  const digits = far < 10 * SECOND ? 1 : 0;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(far / size);
}
