import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { SALE_PARTS, toSaleInfo } from './to-sale-info';

/** Returns what the static sale page shows, straight from Postgres (it is rendered once per edit); null for drafts. */
export async function findSalePage(slug: string): Promise<SaleInfo | null> {
  // Postgres refuses text with a zero byte.
  if (slug.length > 120 || slug.includes('\0')) return null;
  const row = await db().sale.findUnique({ where: { slug }, include: SALE_PARTS });
  if (!row || row.status === 'draft') return null;
  return toSaleInfo(row);
}
