/**
 * Digits after the point of every currency in use that has not two, by ISO 4217 (list one, amendment 179). Browsers
 * follow CLDR instead, which drops digits that people seldom use, e.g. those of HUF, IDR, COP and IQD.
 */
const MINOR_DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const digits = minorDigits(currency);
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(key, format);
  return format;
}

/** Returns how many digits a currency's minor unit has: 2 for USD, 0 for JPY, 3 for KWD. */
export const minorDigits = (currency: string): number => MINOR_DIGITS[currency] ?? 2;

/** Formats an amount of money in words. @param amountMinor integer minor units (cents, 分) */
export const formatMoney = (amountMinor: number, currency: string, locale: string): string =>
  formatOf(currency, locale).format(amountMinor / 10 ** minorDigits(currency));

/** The largest amount of an order: 32-bit integers in the database. */
export const MAX_AMOUNT_MINOR = 2_147_483_647;

/**
 * Returns the tax that an amount includes, half a minor unit rounded up.
 * @param taxRate hundredths of a percent
 */
export const taxIn = (amountMinor: number, taxRate: number): number =>
  Math.round((amountMinor * taxRate) / (10_000 + taxRate));

/** Writes an amount with a point and without its currency, as forms and exports have it: `1990.00`. */
export const toDecimal = (amountMinor: number, currency: string): string =>
  (amountMinor / 10 ** minorDigits(currency)).toFixed(minorDigits(currency));

/** Writes an amount for logs and reports, the same in every language: `1990.00 HUF`. */
export const plainMoney = ({ amountMinor, currency }: { amountMinor: number; currency: string }): string =>
  `${toDecimal(amountMinor, currency)} ${currency}`;

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
