import 'server-only';
import { randomBytes } from 'node:crypto';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { CreateSaleInput } from '@/lib/contract/shapes/sale-input';
import type { Db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { saleColumns, saleSlug } from './sale-columns';
import { SALE_PARTS, toSaleInfo } from './to-sale-info';

const GATE_BYTES = 16;

/** Makes a random value that shoppers learn only from the state endpoint, after the start. */
export const newGate = (): string => randomBytes(GATE_BYTES).toString('base64url');

/**
 * Writes a draft. Its slug is the product's slug and the end of its own id, so that nobody has to invent one.
 * @param product the product that the sale sells; the caller has checked that the merchant owns it.
 */
export async function createSale(
  tx: Db,
  product: { merchantId: string; slug: string },
  input: CreateSaleInput & { repeatAfterSec?: number; slug?: string },
): Promise<SaleInfo> {
  const saleId = newId('sale');
  const row = await tx.sale.create({
    data: {
      id: saleId,
      productId: input.productId,
      merchantId: product.merchantId,
      slug: input.slug ?? saleSlug(product.slug, saleId),
      ...saleColumns(input),
      gate: newGate(),
      campaignId: input.campaignId,
      repeatAfterSec: input.repeatAfterSec ?? null,
    },
    include: SALE_PARTS,
  });
  return toSaleInfo(row);
}
