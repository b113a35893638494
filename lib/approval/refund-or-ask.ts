import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { type RefundResult, refundOrder } from '@/lib/order/admin/refund-order';
import { type RequestApprovalResult, requestApproval } from './request-approval';

/**
 * Refunds an order. Asks for a second person if the amount is large, alone or together with what the same person has
 * refunded today.
 */
export async function refundOrAsk(
  actor: Actor,
  orderNo: string,
  { reason, returnStock }: { reason: string; returnStock: boolean },
): Promise<Exclude<RefundResult, { status: 'needs_approval' }> | RequestApprovalResult> {
  const result = await refundOrder(actor, orderNo, { reason, returnStock }, { isAlone: true });
  if (result.status !== 'needs_approval') return result;
  const { saleId, amountMinor, refundedMinor, currency } = result.order;
  return requestApproval(actor, {
    kind: 'refund',
    saleId,
    orderNo,
    returnStock,
    amountMinor: amountMinor - refundedMinor,
    currency,
    reason,
  });
}
