import type { EditableSale } from '@/lib/contract/shapes/sale';
import type { SaleEdit } from '@/lib/contract/shapes/sale-input';
import { toDecimal } from '@/lib/money';
import { heldFieldsOf } from './held-fields';
import { type LimitValues, toLimits } from './limit-values';
import { toNumberTexts } from './number-settings';
import { initialSaleForm, type SaleFormValues, toLocalInput, toNewSale } from './sale-form-values';
import { toVariantValues } from './variant-values';

const MINUTE_MS = 60_000;

const amount = (minor: number | null, currency: string): string =>
  minor === null ? '' : toDecimal(minor, currency);

/** Returns what the form shows for an existing draft. */
export function toSaleForm(sale: EditableSale): SaleFormValues {
  const { currency, reservation } = sale;
  return {
    ...initialSaleForm(sale.startsAt, currency, ''),
    productId: sale.productId,
    ...heldFieldsOf(sale),
    campaignId: sale.campaignId ?? '',
    price: amount(sale.priceMinor, currency),
    listPrice: amount(sale.listPriceMinor, currency),
    totalStock: String(sale.totalStock),
    variants: toVariantValues(sale.variants),
    ...toNumberTexts(sale),
    startsAt: toLocalInput(sale.startsAt),
    endsAt: toLocalInput(sale.endsAt),
    entryMinutes: String(Math.round((sale.startsAt - sale.entryOpensAt) / MINUTE_MS)),
    reservationOpensAt: reservation ? toLocalInput(reservation.opensAt) : '',
    reservationClosesAt: reservation ? toLocalInput(reservation.closesAt) : '',
  };
}

/** Returns the same time of day so many days later, in the time zone of this machine; epoch ms. */
function addDays(epochMs: number, days: number): number {
  const date = new Date(epochMs);
  return date.setDate(date.getDate() + days);
}

/**
 * Returns what the form shows for a copy of a sale: all as it was, on the first day on which its start, or its reservations, are
 * still to come.
 * @param now epoch ms
 */
export function toCopyForm(sale: EditableSale, now: number): SaleFormValues {
  const { startsAt, endsAt, entryOpensAt, reservation } = sale;
  let days = 0;
  while (addDays(reservation?.opensAt ?? startsAt, days) <= now) days += 1;
  const laterMs = addDays(startsAt, days) - startsAt;
  return toSaleForm({
    ...sale,
    startsAt: startsAt + laterMs,
    endsAt: endsAt + laterMs,
    entryOpensAt: entryOpensAt + laterMs,
    reservation: reservation && {
      opensAt: reservation.opensAt + laterMs,
      closesAt: reservation.closesAt + laterMs,
    },
  });
}

interface Given {
  values: SaleFormValues;
  limits: LimitValues;
}

/**
 * Returns the fields that the editor has changed. Untouched fields are not sent, because the form knows only minutes
 * where the sale has milliseconds.
 */
export function toSaleEdit(before: Given, after: Given, productId: string, version: number): SaleEdit {
  const fields = ({ values, limits }: Given, id: string) => {
    const { listPriceMinor = null, reservation = null, ...rest } = toNewSale(values, id);
    return { ...rest, listPriceMinor, reservation, limits: toLimits(limits) };
  };
  const old = fields(before, before.values.productId);
  const changed = Object.entries(fields(after, productId)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof typeof old]),
  );
  return { ...Object.fromEntries(changed), version };
}
