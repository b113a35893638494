import type { Approval, ApprovalRequest } from '@/lib/contract/shapes/approval';
import type { ApprovalStatus } from '@/lib/contract/words/approval';
import { itemName } from '@/lib/human-text';
import type { Approval as ApprovalRow, Sale as SaleRow, SaleVariant } from '@/prisma/generated/client';

/** The parts that a request's row is read with. */
export const WITH_SALE = { sale: { include: { variants: true } } } as const;

type Sale = Pick<SaleRow, 'title'> & { variants: Pick<SaleVariant, 'number' | 'name'>[] };

/**
 * Turns a database row into the API's view. The row doesn't say that a request has run out; that is computed from the
 * time.
 */
export function toApproval(row: ApprovalRow & { sale: Sale }, nowMs: number): Approval {
  const request = row.payload as ApprovalRequest;
  const wanted = request.kind === 'stock_increase' ? request.variant : undefined;
  const variant = row.sale.variants.find(({ number }) => number === wanted);
  const isOver = row.status === 'pending' && row.expiresAt.getTime() <= nowMs;
  return {
    approvalId: row.id,
    request,
    saleTitle: itemName(row.sale.title, variant?.name ?? null),
    status: isOver ? 'expired' : (row.status as ApprovalStatus),
    requestedBy: row.requestedBy,
    requestedAt: row.requestedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt?.getTime() ?? null,
    outcome: row.outcome,
  };
}
