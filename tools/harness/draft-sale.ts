import type { z } from 'zod';
import type { Actor } from '@/lib/actor/actor';
import { newProduct } from '@/lib/contract/shapes/product';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { type NewSale, newSale } from '@/lib/contract/shapes/sale-input';
import { newId } from '@/lib/ids/new-id';
import { createProduct } from '@/lib/product/admin/create-product';
import { createSale } from '@/lib/sale/admin/create-sale';

type NewProduct = z.input<typeof newProduct>;

/** The terms of a tool's sale: stock, start, and any deviation from the defaults. Times are epoch ms. */
export type SaleTerms = Pick<NewSale, 'productId' | 'title' | 'totalStock' | 'startsAt'> & Partial<NewSale>;

const OPEN_MS = 3_600_000;

/** Creates a product of the merchant. @returns its id. @throws Error when it is refused */
export async function makeProduct(
  merchant: Actor,
  product: Omit<NewProduct, 'slug'> & { slug?: string },
): Promise<string> {
  const slug = product.slug ?? `${merchant.userId.replaceAll('_', '-')}-${newId('p').slice(-10)}`;
  const made = await createProduct(merchant, newProduct.parse({ ...product, slug }));
  if (made.status !== 'created') throw new Error(`the product ${slug}: ${made.status}`);
  return made.product.productId;
}

/**
 * Drafts a sale. Unless the terms say otherwise it costs 19.99 EUR, one unit per user, is open for an hour, and entry
 * opens a second earlier.
 * @throws Error when it is refused
 */
export async function draftSale(merchant: Actor, terms: SaleTerms): Promise<SaleInfo> {
  const { startsAt } = terms;
  const input = newSale.parse({
    priceMinor: 1_999,
    currency: 'EUR',
    limitPerUser: 1,
    endsAt: startsAt + OPEN_MS,
    entryOpensAt: startsAt - 1_000,
    ...terms,
  });
  const created = await createSale(merchant, input);
  if (created.status !== 'created') throw new Error(`the sale ${terms.title}: ${created.status}`);
  return created.sale;
}
