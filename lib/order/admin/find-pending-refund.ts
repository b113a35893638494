import 'server-only';
import { nowMs } from '@/lib/clock';
import type { WaitingApproval } from '@/lib/contract/shapes/approval';
import { db } from '@/lib/db/client';

/**
 * Returns the refund of an order, whole or in part, that waits for a second person; null if none does. The caller has
 * checked that the actor may see it.
 */
export async function findPendingRefund(orderNo: string): Promise<WaitingApproval | null> {
  const open = await db().approval.findFirst({
    where: {
      kind: { in: ['refund', 'refund_part'] },
      subjectId: orderNo,
      status: 'pending',
      expiresAt: { gt: new Date(nowMs()) },
    },
  });
  if (!open) return null;
  const requester = await db().user.findUnique({ where: { id: open.requestedBy }, select: { email: true } });
  return {
    approvalId: open.id,
    reason: open.reason,
    requestedBy: open.requestedBy,
    requestedByEmail: requester?.email ?? null,
    requestedAt: open.requestedAt.getTime(),
    expiresAt: open.expiresAt.getTime(),
  };
}
