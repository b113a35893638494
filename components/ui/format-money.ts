const cache = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const format = cache.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency });
  cache.set(key, format);
  return format;
}

/** Returns how many digits a currency's minor unit has: 2 for USD, 0 for JPY. */
export function minorDigits(currency: string): number {
  return formatOf(currency, 'en').resolvedOptions().maximumFractionDigits ?? 2;
}

/** Formats an amount of money in words. @param amountMinor integer minor units (cents, 分) */
export function formatMoney(amountMinor: number, currency: string, locale: string): string {
  return formatOf(currency, locale).format(amountMinor / 10 ** minorDigits(currency));
}

/**
 * Parses an amount a merchant typed, without going through a float.
 * @returns integer minor units, or null if it isn't an amount of that currency
 */
export function parseMoney(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const match = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > digits) return null;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}
