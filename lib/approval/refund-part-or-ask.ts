import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { RefundPart } from '@/lib/contract/shapes/order';
import { type RefundPartResult, refundPart } from '@/lib/order/admin/refund-part';
import { type RequestApprovalResult, requestApproval } from './request-approval';

/** Refunds a part of an order's money. Asks for a second person as `refundOrAsk` does. */
export async function refundPartOrAsk(
  actor: Actor,
  orderNo: string,
  wish: RefundPart,
): Promise<Exclude<RefundPartResult, { status: 'needs_approval' }> | RequestApprovalResult> {
  const result = await refundPart(actor, orderNo, wish, { isAlone: true });
  if (result.status !== 'needs_approval') return result;
  const { saleId, currency } = result.order;
  return requestApproval(actor, { kind: 'refund_part', saleId, orderNo, currency, ...wish });
}
