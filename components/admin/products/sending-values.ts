import type { ProductDelivery } from '@/lib/contract/shapes/delivery';
import type { Product } from '@/lib/contract/shapes/product';
import type { DeliveryWay } from '@/lib/contract/words/delivery';
import { MAX_WEIGHT_GRAMS } from '@/lib/contract/words/product';
import { parseTaxRate } from '@/lib/parse-tax-rate';

/** How a product is sent and taxed, as the user typed it. */
export type SendingValues = {
  delivery: DeliveryWay | '';
  pickupPlace: string;
  /** Grams; empty: nothing is said. */
  weight: string;
  /** Percent; empty: nothing is said. */
  tax: string;
};

/** Returns what the form shows of a product; null: of a new one. */
export const toSendingValues = (product: Product | null): SendingValues => ({
  delivery: product?.delivery?.way ?? '',
  pickupPlace: product?.delivery?.way === 'pickup' ? product.delivery.place : '',
  weight: product?.weightGrams == null ? '' : String(product.weightGrams),
  tax: product?.taxRate == null ? '' : String(product.taxRate / 100),
});

/** Returns how a form's product reaches its buyer; null: nothing is said. */
export function toDelivery({
  delivery,
  pickupPlace,
}: Pick<SendingValues, 'delivery' | 'pickupPlace'>): ProductDelivery | null {
  if (delivery === 'pickup') return { way: delivery, place: pickupPlace.trim() };
  return delivery === '' ? null : { way: delivery };
}

/** Finds the fields in which something is wrong. */
export function checkSending({ delivery, pickupPlace, weight, tax }: SendingValues) {
  const grams = readGrams(weight);
  return {
    ...(delivery === 'pickup' && !pickupPlace.trim() ? { pickupPlace: 'required' as const } : {}),
    ...(grams === undefined ? { weight: 'weightInvalid' as const } : {}),
    ...(tax.trim() !== '' && parseTaxRate(tax.trim()) === null ? { tax: 'taxInvalid' as const } : {}),
  };
}

/** Makes what to send, from a form in which nothing is wrong. */
export const toSending = (values: SendingValues) => ({
  delivery: toDelivery(values),
  weightGrams: readGrams(values.weight) ?? null,
  taxRate: parseTaxRate(values.tax.trim()),
});

/** Reads a weight; null: none is given; undefined: it can't be. */
function readGrams(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const grams = Number(text);
  return /^\d+$/.test(text.trim()) && grams >= 1 && grams <= MAX_WEIGHT_GRAMS ? grams : undefined;
}
