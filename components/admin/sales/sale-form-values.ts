import type { NewSale } from '@/lib/contract/shapes/sale-input';
import type { DeliveryWay } from '@/lib/contract/words/delivery';
import { SLUG } from '@/lib/contract/words/product';
import {
  ADMISSIONS,
  type ChallengeAlternative,
  type DrawWeights,
  type OnStockOutage,
  SALE_NUMBERS,
  type SaleAdmission,
  type SaleChallenge,
  type SaleNumber,
  STRATEGIES,
  USUAL_NUMBERS,
} from '@/lib/contract/words/sale';
import { minorDigits, parseMoney } from '@/lib/money';
import { type HeldFields, heldFieldsOf, INITIAL_FIELDS } from './held-fields';
import {
  boundsOf,
  type NumberTexts,
  readNumber,
  readNumbers,
  toNumberTexts,
  wholeNumber,
} from './number-settings';
import { typedTitles } from './typed-titles';
import {
  checkVariants,
  sumOfStocks,
  toVariants,
  type VariantField,
  type VariantValues,
} from './variant-values';

/** The form's fields: as the user typed them, or as the contract has them. Times are in the format of `datetime-local`, in the reader's time zone. */
export interface SaleFormValues extends NumberTexts, HeldFields {
  productId: string;
  /** The shop of a new product; empty: the first one offered. */
  shopId: string;
  productName: string;
  productSlug: string;
  description: string;
  picture: string;
  /** How a new product reaches its buyer; empty: nothing is said. */
  delivery: DeliveryWay | '';
  pickupPlace: string;
  /** Empty: it belongs to none. */
  campaignId: string;
  price: string;
  listPrice: string;
  /** The sum of the variants' stock counts instead, where there are any. */
  totalStock: string;
  variants: VariantValues[];
  startsAt: string;
  endsAt: string;
  entryMinutes: string;
  /** If both are empty, the sale takes no reservations. */
  reservationOpensAt: string;
  reservationClosesAt: string;
}

export type FormProblem =
  | {
      key:
        | 'required'
        | 'endBeforeStart'
        | 'priceInvalid'
        | 'slugInvalid'
        | 'wrong'
        | 'reservationBoth'
        | 'reservationOrder'
        | 'slicesUndivided'
        | 'waitlistNeeds'
        | 'drawReserved'
        | 'variantTwice'
        | 'notWithVariants';
    }
  | { key: 'notANumber'; min: number }
  | { key: 'notBetween'; min: number; max: number };
export type FormProblems = Partial<Record<keyof SaleFormValues | VariantField, FormProblem>>;

const isDrawn = (admission: SaleAdmission): boolean => ADMISSIONS[admission].isDrawn;

/** Tells whether released units go to those who wait. A draw always has such a list. */
const hasWaitlist = ({ admission, waitlist }: SaleFormValues): boolean => isDrawn(admission) || waitlist;

/** Returns what raises a chance. Only a draw has a choice. */
export const toDrawWeights = ({ admission, drawWeights }: SaleFormValues): DrawWeights =>
  isDrawn(admission) ? drawWeights : 'equal';

/** Returns what happens while Redis can't be reached. Only sales that the script decides have a choice. */
export const toOutage = ({ strategy, onStockOutage }: SaleFormValues): OnStockOutage =>
  STRATEGIES[strategy].canFallBack ? onStockOutage : 'closed';

/** The challenges before entry. The usual choice, none, comes first. */
export const CHALLENGES: readonly SaleChallenge[] = ['none', 'arithmetic', 'slider', 'pow'];

/** Tells whether a challenge is a puzzle. Only a puzzle has an alternative for shoppers who can't do it. */
export const isPuzzle = (challenge: SaleChallenge): boolean =>
  challenge === 'slider' || challenge === 'arithmetic';

export const toAlternative = ({ challenge, challengeAlternative }: SaleFormValues): ChallengeAlternative =>
  isPuzzle(challenge) ? challengeAlternative : 'puzzle';

/** The value of the product field that stands for "a new one". */
export const NEW_PRODUCT = '';

const MINUTE_MS = 60_000;

function isAtLeast(text: string, min: number): boolean {
  const value = wholeNumber(text);
  return value !== null && value >= min;
}

/** Finds what is wrong with the form, by field, before anything is sent. */
export function checkSaleForm(values: SaleFormValues): FormProblems {
  const problems: FormProblems = {};
  const price = parseMoney(values.price, values.currency);
  const listPrice = values.listPrice.trim() === '' ? null : parseMoney(values.listPrice, values.currency);
  if (values.productId === NEW_PRODUCT) {
    if (!values.productName.trim()) problems.productName = { key: 'required' };
    if (!SLUG.test(values.productSlug)) problems.productSlug = { key: 'slugInvalid' };
    if (values.delivery === 'pickup' && !values.pickupPlace.trim())
      problems.pickupPlace = { key: 'required' };
  }
  if (!values.title.trim()) problems.title = { key: 'required' };
  if (price === null || price < 1) problems.price = { key: 'priceInvalid' };
  if (values.listPrice.trim() !== '' && (listPrice === null || listPrice < (price ?? 0))) {
    problems.listPrice = { key: 'priceInvalid' };
  }
  Object.assign(problems, checkVariants(values.variants));
  if ((totalStockOf(values) ?? -2) < -1) problems.totalStock = { key: 'notANumber', min: -1 };
  if (!isAtLeast(values.entryMinutes, 0)) problems.entryMinutes = { key: 'notANumber', min: 0 };
  for (const name of Object.keys(SALE_NUMBERS) as SaleNumber[]) {
    if (readNumber(name, values[name]) === null) problems[name] = { key: 'notBetween', ...boundsOf(name) };
  }
  const startsAt = Date.parse(values.startsAt);
  const endsAt = Date.parse(values.endsAt);
  if (Number.isNaN(startsAt)) problems.startsAt = { key: 'required' };
  if (Number.isNaN(endsAt)) problems.endsAt = { key: 'required' };
  else if (endsAt <= startsAt) problems.endsAt = { key: 'endBeforeStart' };
  const window = [values.reservationOpensAt, values.reservationClosesAt].map((text) => Date.parse(text));
  const [opensAt = Number.NaN, closesAt = Number.NaN] = window;
  if (window.filter(Number.isNaN).length === 1) {
    problems[Number.isNaN(opensAt) ? 'reservationOpensAt' : 'reservationClosesAt'] = {
      key: 'reservationBoth',
    };
  } else if (closesAt <= opensAt || closesAt > startsAt) {
    problems.reservationClosesAt = { key: 'reservationOrder' };
  }
  if (!problems.slices && readNumber('slices', values.slices) !== 1 && !isDivisible(values))
    problems.slices = { key: 'slicesUndivided' };
  if (hasWaitlist(values) && !canGiveOn(values)) problems.waitlist = { key: 'waitlistNeeds' };
  if (isDrawn(values.admission) && values.reservationOpensAt)
    problems.reservationOpensAt = { key: 'drawReserved' };
  if (values.variants.length > 0)
    for (const name of refusedWithVariants(values)) problems[name] = { key: 'notWithVariants' };
  return problems;
}

/** Returns the stock of the whole sale; null if that is no number. */
const totalStockOf = ({ variants, totalStock }: SaleFormValues): number | null =>
  variants.length > 0 ? sumOfStocks(variants) : wholeNumber(totalStock);

/** Lists the settings that a sale with variants can't have. */
const refusedWithVariants = (values: SaleFormValues): (keyof SaleFormValues)[] => [
  ...(STRATEGIES[values.strategy].canHaveVariants ? [] : (['strategy'] as const)),
  ...(readNumber('slices', values.slices) === 1 ? [] : (['slices'] as const)),
  ...(toOutage(values) === 'closed' ? [] : (['onStockOutage'] as const)),
];

/** Tells whether the stock of such a sale can be split over slices. */
const isDivisible = (values: SaleFormValues): boolean =>
  STRATEGIES[values.strategy].canSplit &&
  toOutage(values) === 'closed' &&
  totalStockOf(values) !== -1 &&
  !values.reservationOpensAt;

/** Tells whether released units of such a sale can go to those who wait. */
const canGiveOn = (values: SaleFormValues): boolean =>
  STRATEGIES[values.strategy].stock === 'redis' &&
  toOutage(values) === 'closed' &&
  totalStockOf(values) !== -1 &&
  readNumber('slices', values.slices) === 1;

/** Makes the sale to create, from a form that passed `checkSaleForm`. */
export function toNewSale(values: SaleFormValues, productId: string) {
  const startsAt = Date.parse(values.startsAt);
  const listPriceMinor = parseMoney(values.listPrice, values.currency);
  return {
    productId,
    ...heldFieldsOf(values),
    title: values.title.trim(),
    titles: typedTitles(values.titles),
    onStockOutage: toOutage(values),
    challengeAlternative: toAlternative(values),
    waitlist: hasWaitlist(values),
    drawWeights: toDrawWeights(values),
    campaignId: values.campaignId || null,
    priceMinor: parseMoney(values.price, values.currency) ?? 0,
    ...(listPriceMinor === null ? {} : { listPriceMinor }),
    totalStock: totalStockOf(values) ?? 0,
    variants: toVariants(values.variants),
    ...readNumbers(values),
    startsAt,
    endsAt: Date.parse(values.endsAt),
    entryOpensAt: startsAt - (wholeNumber(values.entryMinutes) ?? 0) * MINUTE_MS,
    ...(values.reservationOpensAt && values.reservationClosesAt
      ? {
          reservation: {
            opensAt: Date.parse(values.reservationOpensAt),
            closesAt: Date.parse(values.reservationClosesAt),
          },
        }
      : {}),
  } satisfies NewSale;
}

/** Formats an instant for `datetime-local`, in the time zone of this machine. */
export function toLocalInput(epochMs: number): string {
  const shifted = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * MINUTE_MS);
  return shifted.toISOString().slice(0, 16);
}

/**
 * Returns the initial values of the form: a sale of one hour that begins at the first full ten minutes at least five
 * minutes from now.
 */
export function initialSaleForm(now: number, currency: string, picture: string): SaleFormValues {
  const startsAt = Math.ceil((now + 5 * MINUTE_MS) / (10 * MINUTE_MS)) * 10 * MINUTE_MS;
  return {
    productId: NEW_PRODUCT,
    shopId: '',
    productName: '',
    productSlug: '',
    description: '',
    picture,
    delivery: '',
    pickupPlace: '',
    ...INITIAL_FIELDS,
    currency,
    campaignId: '',
    price: minorDigits(currency) === 0 ? '100' : '9.90',
    listPrice: '',
    totalStock: '100',
    variants: [],
    ...toNumberTexts(USUAL_NUMBERS),
    startsAt: toLocalInput(startsAt),
    endsAt: toLocalInput(startsAt + 60 * MINUTE_MS),
    entryMinutes: '10',
    reservationOpensAt: '',
    reservationClosesAt: '',
  };
}
