const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

/** Formats a length of time in the largest unit that divides it: `15 minutes`, `7 days`, `90 seconds`. */
export function formatDuration(seconds: number, locale: string): string {
  const { unit, seconds: size } = UNITS.find(
    (entry) => seconds >= entry.seconds && seconds % entry.seconds === 0,
  ) ?? {
    unit: 'second',
    seconds: 1,
  };
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}
