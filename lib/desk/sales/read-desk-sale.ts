import 'server-only';
import { db } from '@/lib/db/client';
import type { SaleStatus } from '@/lib/sale/types';
import { type Actor, maySee } from '../actor';
import { fieldsOf, type SaleFields } from './sale-edits';

export type EditableSale = SaleFields & {
  saleId: string;
  status: SaleStatus;
  /** What an edit is based on. */
  version: number;
};

/** A sale as its editor needs it; null if there is none or it is another merchant's. */
export async function readDeskSale(actor: Actor, saleId: string): Promise<EditableSale | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: { product: true } });
  if (!row || !maySee(actor, row.merchantId)) return null;
  return { ...fieldsOf(row), saleId, status: row.status as SaleStatus, version: row.version };
}
