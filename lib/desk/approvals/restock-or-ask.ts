import 'server-only';
import { db } from '@/lib/db/client';
import { type Actor, mayManage } from '../actor';
import { type RestockSaleResult, restockSale } from '../restock-sale';
import { stockNeedsApproval } from './needs-approval';
import { type RequestApprovalResult, requestApproval } from './request-approval';

/** Changes a sale's stock, or has a second person asked if that is a large increase. What can't be is refused at once. */
export async function restockOrAsk(
  actor: Actor,
  saleId: string,
  { delta, reason }: { delta: number; reason: string },
): Promise<RestockSaleResult | RequestApprovalResult> {
  const sale = await db().sale.findUnique({ where: { id: saleId } });
  const isPossible =
    sale?.status === 'published' && sale.totalStock !== -1 && mayManage(actor, sale.merchantId);
  if (!isPossible || !(await stockNeedsApproval(saleId, delta)))
    return restockSale(actor, saleId, delta, reason);
  return requestApproval(actor, { kind: 'stock_increase', saleId, delta, reason });
}
