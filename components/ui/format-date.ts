/** `zoned`: `full` plus the offset from UTC, because an hour occurs twice when clocks are put back. */
export type DateStyle = 'full' | 'zoned' | 'short' | 'day' | 'time';

const FULL: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
};

const STYLES: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  full: FULL,
  zoned: { ...FULL, timeZoneName: 'shortOffset' },
  short: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
};

const cache = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats an instant in words.
 * @param timeZone IANA name; undefined = the time zone of the machine that runs this
 */
export function formatDate(epochMs: number, locale: string, style: DateStyle, timeZone?: string): string {
  const key = `${locale} ${style} ${timeZone ?? ''}`;
  const format = cache.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone });
  cache.set(key, format);
  return format.format(epochMs);
}
