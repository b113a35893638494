import 'server-only';
import { db } from '@/lib/db/client';
import { type SaleInfo, toSaleInfo } from './types';

export type SalePage = SaleInfo & {
  product: { name: string; description: string; attributes: Record<string, string> };
};

/** What the static sale page shows, straight from Postgres (it is rendered once per edit); null for drafts. */
export async function findSalePage(slug: string): Promise<SalePage | null> {
  // Postgres knows no zero byte.
  if (slug.length > 120 || slug.includes('\0')) return null;
  const row = await db().sale.findUnique({ where: { slug }, include: { product: true } });
  if (!row || row.status === 'draft') return null;
  const info = toSaleInfo(row);
  return {
    ...info,
    product: { name: info.productName, description: info.description, attributes: info.attributes },
  };
}
