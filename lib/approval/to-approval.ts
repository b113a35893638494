import type { Approval, ApprovalRequest } from '@/lib/contract/shapes/approval';
import type { ApprovalStatus } from '@/lib/contract/words/approval';
import type { Approval as ApprovalRow, Sale as SaleRow } from '@/prisma/generated/client';

/**
 * Turns a database row into the API's view. The row doesn't say that a request has run out; that is computed from the
 * time.
 */
export function toApproval(row: ApprovalRow & { sale: Pick<SaleRow, 'title'> }, nowMs: number): Approval {
  const isOver = row.status === 'pending' && row.expiresAt.getTime() <= nowMs;
  return {
    approvalId: row.id,
    request: row.payload as ApprovalRequest,
    saleTitle: row.sale.title,
    status: isOver ? 'expired' : (row.status as ApprovalStatus),
    requestedBy: row.requestedBy,
    requestedAt: row.requestedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt?.getTime() ?? null,
    outcome: row.outcome,
  };
}
