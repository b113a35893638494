import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { type RestockSaleResult, restockSale } from '@/lib/sale/admin/restock-sale';
import { type RequestApprovalResult, requestApproval } from './request-approval';

/** Changes a sale's stock, or asks for a second person if the increase is large. Refuses at once what is impossible. */
export async function restockOrAsk(
  actor: Actor,
  saleId: string,
  { reason, ...change }: { delta: number; variant?: number; reason: string; requestId?: string },
): Promise<Exclude<RestockSaleResult, { status: 'needs_approval' }> | RequestApprovalResult> {
  const result = await restockSale(actor, saleId, change.delta, { ...change, reason, isAlone: true });
  if (result.status !== 'needs_approval') return result;
  return requestApproval(actor, { kind: 'stock_increase', saleId, reason, ...change });
}
