import {
  forEachNumber,
  SALE_NUMBERS,
  type SaleNumber,
  type SaleNumbers,
  USUAL_NUMBERS,
} from '@/lib/contract/words/sale';

/** Where the form asks for a number of a sale. `unit`: how many of the contract's unit make one of the form's. */
type NumberSetting = { step: 'price' | 'when' | 'who'; unit: number; isWhole: boolean };

const SETTINGS: Record<SaleNumber, NumberSetting> = {
  limitPerUser: { step: 'price', unit: 1, isWhole: true },
  // Two decimals, so that a test sale may give seconds.
  paymentWindowSec: { step: 'when', unit: 60, isWhole: false },
  minLevel: { step: 'who', unit: 1, isWhole: true },
  minAccountAgeSec: { step: 'who', unit: 86_400, isWhole: true },
  clickLockSec: { step: 'when', unit: 1, isWhole: true },
};
const NAMES = Object.keys(SETTINGS) as SaleNumber[];

/** As typed. */
export type NumberTexts = Record<SaleNumber, string>;

export const numbersOfStep = (step: string): SaleNumber[] =>
  NAMES.filter((name) => SETTINGS[name].step === step);
export const isWhole = (name: SaleNumber): boolean => SETTINGS[name].isWhole;

/** A whole number with either minus; null for anything else. */
export const wholeNumber = (text: string): number | null =>
  /^[-−]?\d{1,10}$/.test(text.trim()) ? Number(text.trim().replace('−', '-')) : null;

function decimalNumber(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
}

/** The bounds in the form's unit. */
export function boundsOf(name: SaleNumber): { min: number; max: number } {
  const { min, max } = SALE_NUMBERS[name];
  return { min: min / SETTINGS[name].unit, max: max / SETTINGS[name].unit };
}

/** What the text stands for, in the contract's unit; null if it is no number or out of bounds. */
export function readNumber(name: SaleNumber, text: string): number | null {
  const typed = SETTINGS[name].isWhole ? wholeNumber(text) : decimalNumber(text);
  if (typed === null) return null;
  const value = Math.round(typed * SETTINGS[name].unit);
  const { min, max } = SALE_NUMBERS[name];
  return value >= min && value <= max ? value : null;
}

/** What the form shows for numbers of a sale. */
export const toTexts = (numbers: SaleNumbers): NumberTexts =>
  forEachNumber((name) => {
    const { unit, isWhole: isRounded } = SETTINGS[name];
    const digits = isRounded ? 0 : 4;
    return String(Number((numbers[name] / unit).toFixed(digits)));
  });

/** What a form without anything wrong stands for. */
export const readNumbers = (texts: NumberTexts): SaleNumbers =>
  forEachNumber((name) => readNumber(name, texts[name]) ?? USUAL_NUMBERS[name]);
