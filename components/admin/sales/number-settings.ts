import {
  forEachNumber,
  SALE_NUMBERS,
  type SaleNumber,
  type SaleNumbers,
  USUAL_NUMBERS,
} from '@/lib/contract/words/sale';

/** Says in which step the form asks for a number of a sale. `unit`: how many units of the contract make one of the form. */
type NumberSetting = { step: 'price' | 'when' | 'who'; unit: number; isWhole: boolean };

const SETTINGS: Record<SaleNumber, NumberSetting> = {
  limitPerUser: { step: 'price', unit: 1, isWhole: true },
  // Two decimals, so that a test sale can use seconds.
  paymentWindowSec: { step: 'when', unit: 60, isWhole: false },
  minLevel: { step: 'who', unit: 1, isWhole: true },
  minAccountAgeSec: { step: 'who', unit: 86_400, isWhole: true },
  clickLockSec: { step: 'when', unit: 1, isWhole: true },
  placesPerNetwork: { step: 'who', unit: 1, isWhole: true },
  slices: { step: 'who', unit: 1, isWhole: true },
};
const NAMES = Object.keys(SETTINGS) as SaleNumber[];

/** The numbers as the user typed them. */
export type NumberTexts = Record<SaleNumber, string>;

export const numbersOfStep = (step: string): SaleNumber[] =>
  NAMES.filter((name) => SETTINGS[name].step === step);
export const isWhole = (name: SaleNumber): boolean => SETTINGS[name].isWhole;

/** Reads a whole number. It accepts the hyphen and the minus sign; null for anything else. */
export const wholeNumber = (text: string): number | null =>
  /^[-−]?\d{1,10}$/.test(text.trim()) ? Number(text.trim().replace('−', '-')) : null;

function decimalNumber(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
}

/** Returns the bounds in the form's unit. */
export function boundsOf(name: SaleNumber): { min: number; max: number } {
  const { min, max } = SALE_NUMBERS[name];
  return { min: min / SETTINGS[name].unit, max: max / SETTINGS[name].unit };
}

/** Reads a number, in the contract's unit; null if the text is no number or out of bounds. */
export function readNumber(name: SaleNumber, text: string): number | null {
  const typed = SETTINGS[name].isWhole ? wholeNumber(text) : decimalNumber(text);
  if (typed === null) return null;
  const value = Math.round(typed * SETTINGS[name].unit);
  const { min, max } = SALE_NUMBERS[name];
  return value >= min && value <= max ? value : null;
}

/** Returns what the form shows for the numbers of a sale. */
export const toNumberTexts = (numbers: SaleNumbers): NumberTexts =>
  forEachNumber((name) => {
    const { unit, isWhole: isRounded } = SETTINGS[name];
    const digits = isRounded ? 0 : 4;
    return String(Number((numbers[name] / unit).toFixed(digits)));
  });

/** Reads the numbers of a form in which nothing is wrong. */
export const readNumbers = (texts: NumberTexts): SaleNumbers =>
  forEachNumber((name) => readNumber(name, texts[name]) ?? USUAL_NUMBERS[name]);
