import { fetchJson } from '@/components/api/fetch-json';

export interface ApprovalView {
  approvalId: string;
  request:
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
  saleTitle: string;
  status: 'pending' | 'approved' | 'rejected' | 'failed' | 'expired';
  requestedBy: string;
  requestedByEmail: string | null;
  requestedAt: number;
  expiresAt: number;
  decidedBy: string | null;
  decidedByEmail: string | null;
  decidedAt: number | null;
  outcome: string | null;
  /** The reader asked for it, and so can't allow it. */
  isOwn: boolean;
}

export type ApprovalFilter = 'pending' | 'all';

const APPROVALS = '/api/admin/approvals';

export const getApprovals = (status: ApprovalFilter, cursor: string | null, signal?: AbortSignal) =>
  fetchJson<{ approvals: ApprovalView[]; nextCursor: string | null }>(
    `${APPROVALS}?${new URLSearchParams({ status, cursor: cursor ?? '' })}`,
    { signal, cache: 'no-store' },
  );

export const postApprove = (approvalId: string) =>
  fetchJson<ApprovalView>(`${APPROVALS}/${approvalId}/approve`, { method: 'POST', body: {} });

export const postReject = (approvalId: string, reason: string) =>
  fetchJson<ApprovalView>(`${APPROVALS}/${approvalId}/reject`, { method: 'POST', body: { reason } });
