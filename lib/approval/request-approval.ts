import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { nowMs } from '@/lib/clock';
import type { ApprovalRequest, PendingApproval } from '@/lib/contract/shapes/approval';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';

/** Returns what a request is about: the order for a refund, the sale for its stock. Each may have one open request. */
const subjectOf = (request: ApprovalRequest): string =>
  request.kind === 'stock_increase' ? request.saleId : request.orderNo;

const REFUNDS: ApprovalRequest['kind'][] = ['refund', 'refund_part'];

/** Returns what is asked for: under another name it is the same question. */
const contentOf = (request: unknown) => ({ ...(request as ApprovalRequest), requestId: undefined });

const VALID_MS = 24 * 3_600_000;

export type RequestApprovalResult =
  | PendingApproval
  /** Another request about the same subject is open already. */
  | { status: 'other_pending'; approvalId: string };

/**
 * Asks for a second person's approval, for 24 hours. The caller has checked that only the size keeps the actor from
 * doing it alone. Asking for the same again gives the same answer.
 */
export function requestApproval(actor: Actor, request: ApprovalRequest): Promise<RequestApprovalResult> {
  const { kind, saleId, reason } = request;
  const subjectId = subjectOf(request);
  const kinds = REFUNDS.includes(kind) ? REFUNDS : [kind];
  return transaction(async (tx): Promise<RequestApprovalResult> => {
    // Two people who ask at once get the same request.
    await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR NO KEY UPDATE`;
    const now = nowMs();
    await tx.approval.updateMany({
      where: { kind: { in: kinds }, subjectId, status: 'pending', expiresAt: { lte: new Date(now) } },
      data: { status: 'expired' },
    });
    const open = await tx.approval.findFirst({
      where: { kind: { in: kinds }, subjectId, status: 'pending' },
    });
    if (open) {
      const isSame =
        open.requestedBy === actor.userId && isDeepStrictEqual(contentOf(open.payload), contentOf(request));
      return isSame
        ? { status: 'pending', approvalId: open.id, expiresAt: open.expiresAt.getTime() }
        : { status: 'other_pending', approvalId: open.id };
    }
    const approvalId = newId('appr');
    const expiresAt = now + VALID_MS;
    await tx.approval.create({
      data: {
        id: approvalId,
        kind,
        saleId,
        subjectId,
        payload: request,
        reason,
        requestedBy: actor.userId,
        requestedAt: new Date(now),
        expiresAt: new Date(expiresAt),
      },
    });
    const subject = { kind: 'approval', id: approvalId };
    await recordAction(tx, actor, {
      action: 'approval.request',
      subject,
      before: null,
      after: request,
      reason,
    });
    return { status: 'pending', approvalId, expiresAt };
  });
}
