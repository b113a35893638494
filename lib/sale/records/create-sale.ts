import 'server-only';
import { randomBytes } from 'node:crypto';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { CreateSaleInput } from '@/lib/contract/shapes/sale-input';
import type { Db } from '@/lib/db/client';
import { saleColumns, saleSlug } from './sale-columns';
import { SALE_PARTS, toSaleInfo } from './to-sale-info';
import { variantRows } from './variant-rows';

const GATE_BYTES = 16;

/** Makes a random value that shoppers learn only from the state endpoint, after the start. */
export const newGate = (): string => randomBytes(GATE_BYTES).toString('base64url');

/**
 * Writes a draft. Its slug is the product's slug and the end of its own id, so that nobody has to invent one.
 * @param product the product that the sale sells; the caller has checked that the merchant owns it.
 * @returns null if the id or slug is in use
 */
export async function createSale(
  tx: Db,
  saleId: string,
  product: { merchantId: string; slug: string },
  input: CreateSaleInput & { repeatAfterSec?: number; slug?: string },
): Promise<SaleInfo | null> {
  const { count } = await tx.sale.createMany({
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
    skipDuplicates: true,
  });
  if (count === 0) return null;
  await tx.saleVariant.createMany({ data: variantRows(input.variants).map((row) => ({ saleId, ...row })) });
  return findSaleRow(tx, saleId);
}

/** Reads a sale as the transaction sees it. @returns null if there is none */
export async function findSaleRow(tx: Db, saleId: string): Promise<SaleInfo | null> {
  const row = await tx.sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  return row && toSaleInfo(row);
}
