import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import type { EditableSale } from '@/lib/contract/shapes/sale';
import type { SaleStatus } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { SALE_PARTS } from '@/lib/sale/records/to-sale-info';
import { fieldsOf } from './sale-edits';

/** Returns a sale as its editor needs it; null if there is none or it is another merchant's. */
export async function readAdminSale(actor: Actor, saleId: string): Promise<EditableSale | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  if (!row || !(await maySee(actor, row.merchantId))) return null;
  // A sale that was ended early keeps the end that it was given: a copy has that one.
  const endsAt = row.endsAt.getTime();
  return { ...fieldsOf(row), endsAt, saleId, status: row.status as SaleStatus, version: row.version };
}
