import 'server-only';
import { nowMs } from '@/lib/clock';
import type { ApprovalRequest, WaitingApproval } from '@/lib/contract/shapes/approval';
import { db } from '@/lib/db/client';

/**
 * Returns the request about an order or a sale that waits for a second person; null if there is none. The caller has
 * checked that the actor may see it.
 * @param subjectId the order of a refund, the sale of a stock increase
 */
export async function findWaiting(
  kinds: ApprovalRequest['kind'][],
  subjectId: string,
): Promise<WaitingApproval | null> {
  const open = await db().approval.findFirst({
    where: { kind: { in: kinds }, subjectId, status: 'pending', expiresAt: { gt: new Date(nowMs()) } },
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
