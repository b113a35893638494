import 'server-only';
import { may } from '@/lib/account/roles';
import type { Actor } from '../actor';
import { findManagedOrder } from '../find-managed-order';
import { type RefundResult, refundOrder } from '../refund-order';
import { refundNeedsApproval } from './needs-approval';
import { type RequestApprovalResult, requestApproval } from './request-approval';

/** Refunds an order, or has a second person asked if that is a large amount. What can't be is refused at once. */
export async function refundOrAsk(
  actor: Actor,
  orderNo: string,
  { reason, returnStock }: { reason: string; returnStock: boolean },
): Promise<RefundResult | RequestApprovalResult> {
  const found = await findManagedOrder(actor, orderNo);
  const isPossible = found?.order.status === 'paid' && may(actor.role, 'desk');
  if (!isPossible || !refundNeedsApproval(found.order.amountMinor))
    return refundOrder(actor, orderNo, { reason, returnStock });
  const { saleId, amountMinor, currency } = found.order;
  return requestApproval(actor, {
    ...{ kind: 'refund' as const, saleId, orderNo, returnStock, amountMinor, currency, reason },
  });
}
