import { isDeepStrictEqual } from 'node:util';
import { saleFieldsOf } from '@/lib/contract/shapes/sale-fields';
import { type CreateSaleInput, type EditSaleInput, newSale } from '@/lib/contract/shapes/sale-input';
import { type SaleWithParts, toSaleInfo } from '@/lib/sale/records/to-sale-info';

/** A sale's fields in the form in which the merchant gave them. */
export type SaleFields = Required<Omit<CreateSaleInput, 'requestId'>>;

/**
 * Why a field of a published sale can't be edited: shoppers rely on it, another interface changes it, the sale has
 * started, or it may only become later.
 */
export type FixedReason = 'published' | 'own_way' | 'started' | 'only_later';
export type FixedField = { path: string; reason: FixedReason };

/** Fields that have an interface of their own, also during the sale. */
const OWN_WAY: ReadonlySet<string> = new Set(['totalStock', 'limits']);

/**
 * Returns a sale's fields as the merchant gave them. For a sale that was closed early the end is the moment it was
 * closed.
 */
export function fieldsOf(row: SaleWithParts): SaleFields {
  const sale = toSaleInfo(row);
  const { startsAt, endsAt, entryOpensAt, reservation, limits, variants } = sale;
  return {
    ...saleFieldsOf(sale),
    productId: row.productId,
    currency: sale.currency as SaleFields['currency'],
    startsAt,
    endsAt,
    entryOpensAt,
    reservation,
    limits,
    campaignId: row.campaignId,
    variants,
  };
}

/** Returns the given fields whose values differ from the present ones. */
export function changesOf(now: SaleFields, { version: _, ...given }: EditSaleInput): Partial<SaleFields> {
  const changes = Object.entries(given).filter(
    ([name, value]) =>
      value !== undefined && !isDeepStrictEqual(value ?? null, now[name as keyof SaleFields] ?? null),
  );
  return Object.fromEntries(changes);
}

/**
 * Returns the changes that a published sale does not allow. Only a new title takes nothing away from shoppers, and
 * another time: any until the sale starts, from then on a later end.
 */
export function fixedFields(
  now: SaleFields,
  changes: Partial<SaleFields>,
  hasStarted: boolean,
): FixedField[] {
  return Object.keys(changes).flatMap((path): FixedField[] => {
    if (path === 'title' || path === 'titles') return [];
    if (path === 'startsAt') return hasStarted ? [{ path, reason: 'started' }] : [];
    if (path !== 'endsAt') return [{ path, reason: OWN_WAY.has(path) ? 'own_way' : 'published' }];
    return !hasStarted || (changes.endsAt ?? 0) > now.endsAt ? [] : [{ path, reason: 'only_later' }];
  });
}

/** Merges changes into a draft and checks it like a new one. Entry still opens as long before the start as it did. */
export function mergeDraft(now: SaleFields, changes: Partial<SaleFields>) {
  const { startsAt = now.startsAt } = changes;
  const entryOpensAt = Math.max(0, startsAt - (now.startsAt - now.entryOpensAt));
  return newSale.safeParse({ ...now, entryOpensAt, ...changes });
}
