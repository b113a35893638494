import 'server-only';
import type { Actor } from '../actor';
import { type RefundResult, refundOrder } from '../orders/refund-order';
import { type RequestApprovalResult, requestApproval } from './request-approval';

/** Refunds an order, or has a second person asked if that is much, also with what the same person has refunded today. */
export async function refundOrAsk(
  actor: Actor,
  orderNo: string,
  { reason, returnStock }: { reason: string; returnStock: boolean },
): Promise<Exclude<RefundResult, { status: 'needs_approval' }> | RequestApprovalResult> {
  const result = await refundOrder(actor, orderNo, { reason, returnStock }, { isAlone: true });
  if (result.status !== 'needs_approval') return result;
  const { saleId, amountMinor, currency } = result.order;
  return requestApproval(actor, {
    kind: 'refund',
    saleId,
    orderNo,
    returnStock,
    amountMinor,
    currency,
    reason,
  });
}
