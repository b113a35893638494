import type { Approval as ApprovalRow, Sale as SaleRow } from '@/prisma/generated/client';

export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'failed' | 'expired';

/** What is to be done; `units` more, or an order's money back. */
export type ApprovalRequest =
  | { kind: 'stock_increase'; saleId: string; delta: number; reason: string }
  | {
      kind: 'refund';
      saleId: string;
      orderNo: string;
      returnStock: boolean;
      amountMinor: number;
      currency: string;
      reason: string;
    };

/** A request and what became of it. Times in ms. */
export type Approval = {
  approvalId: string;
  request: ApprovalRequest;
  saleTitle: string;
  status: ApprovalStatus;
  requestedBy: string;
  requestedAt: number;
  expiresAt: number;
  decidedBy: string | null;
  decidedAt: number | null;
  /** Why it failed, or the words of who rejected it. */
  outcome: string | null;
};

/** The order for a refund, the sale for its stock: of each one question may be open. */
export const subjectOf = (request: ApprovalRequest): string =>
  request.kind === 'refund' ? request.orderNo : request.saleId;

/** The database row in the API's words. Nobody writes down that a request has run out: the clock says so. */
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
