import type { SaleLimits } from '@/lib/contract/shapes/limit';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { type PlainSaleFields, saleFieldsOf } from '@/lib/contract/shapes/sale-fields';
import type { SaleStatus } from '@/lib/contract/words/sale';
import type { Product as ProductRow, Sale as SaleRow } from '@/prisma/generated/client';
import { endOf } from './end-of';

/** Turns a database row into a sale's info. */
export function toSaleInfo(row: SaleRow & { product: ProductRow }): SaleInfo {
  return {
    ...(saleFieldsOf(row) as PlainSaleFields),
    saleId: row.id,
    slug: row.slug,
    merchantId: row.merchantId,
    imageUrl: row.product.imageUrl,
    productName: row.product.name,
    description: row.product.description,
    attributes: row.product.attributes as Record<string, string>,
    startsAt: row.startsAt.getTime(),
    endsAt: endOf(row),
    entryOpensAt: row.entryOpensAt.getTime(),
    reservation:
      row.reservationOpensAt && row.reservationClosesAt
        ? { opensAt: row.reservationOpensAt.getTime(), closesAt: row.reservationClosesAt.getTime() }
        : null,
    status: row.status as SaleStatus,
    paused: row.paused,
    waitlistClosed: row.waitlistClosed,
    limits: row.limits as SaleLimits | null,
    epoch: row.epoch,
    sliceEpochs: row.sliceEpochs,
    version: row.version,
  };
}
