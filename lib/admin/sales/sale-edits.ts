import { isDeepStrictEqual } from 'node:util';
import { saleFieldsOf } from '@/lib/contract/shapes/sale-fields';
import { type CreateSaleInput, type EditSaleInput, newSale } from '@/lib/contract/shapes/sale-input';
import { toSaleInfo } from '@/lib/sale/to-sale-info';
import type { Product as ProductRow, Sale as SaleRow } from '@/prisma/generated/client';

type SaleRowWithProduct = SaleRow & { product: ProductRow };

/** A sale's fields as the merchant gave them. */
export type SaleFields = Required<CreateSaleInput>;

/** Why a field of a published sale stays as it is: shoppers rely on it, it has a way of its own, or only later will do. */
export type FixedReason = 'published' | 'own_way' | 'only_later';
export type FixedField = { path: string; reason: FixedReason };

/** What an interface of its own changes, also during the sale. */
const OWN_WAY: ReadonlySet<string> = new Set(['totalStock', 'limits']);

/** A sale as the merchant gave it; one that was closed early ends when it was closed. */
export function fieldsOf(row: SaleRowWithProduct): SaleFields {
  const sale = toSaleInfo(row);
  const { startsAt, endsAt, entryOpensAt, reservation, limits } = sale;
  return {
    ...saleFieldsOf(sale),
    productId: row.productId,
    currency: sale.currency as SaleFields['currency'],
    startsAt,
    endsAt,
    entryOpensAt,
    reservation,
    limits,
  };
}

/** Those of the given fields that are not so already. */
export function changesOf(now: SaleFields, { version: _, ...given }: EditSaleInput): Partial<SaleFields> {
  const changes = Object.entries(given).filter(
    ([name, value]) =>
      value !== undefined && !isDeepStrictEqual(value ?? null, now[name as keyof SaleFields] ?? null),
  );
  return Object.fromEntries(changes);
}

/** What of it a published sale does not allow: only the title, and a later end, take nothing from anybody. */
export function fixedFields(now: SaleFields, changes: Partial<SaleFields>): FixedField[] {
  return Object.keys(changes).flatMap((path): FixedField[] => {
    if (path === 'title') return [];
    if (path !== 'endsAt') return [{ path, reason: OWN_WAY.has(path) ? 'own_way' : 'published' }];
    return (changes.endsAt ?? 0) > now.endsAt ? [] : [{ path, reason: 'only_later' }];
  });
}

/** A draft with the changes in it, checked as a new one is. Entry opens as long before the start as it did. */
export function mergeDraft(now: SaleFields, changes: Partial<SaleFields>) {
  const { startsAt = now.startsAt } = changes;
  const entryOpensAt = Math.max(0, startsAt - (now.startsAt - now.entryOpensAt));
  return newSale.safeParse({ ...now, entryOpensAt, ...changes });
}
