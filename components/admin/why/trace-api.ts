import { fetchJson } from '@/components/api/fetch-json';

export type RiskClass = 'none' | 'challenged' | 'limited' | 'blocked';

interface Placed {
  at: number;
  /** ms; negative: before the start. */
  afterStartMs: number;
  taken: { orders: number; units: number; lastAt: number | null };
}

interface AcceptedAttempt extends Placed {
  outcome: 'accepted';
  orderNo: string;
  quantity: number;
  status: 'queued' | 'pending_payment' | 'paid' | 'cancelled' | 'refunded' | 'failed';
  endReason: string | null;
  enteredAt: number | null;
}

interface RefusedAttempt extends Placed {
  outcome: 'refused';
  place: 'entry' | 'purchase';
  code: string;
  risk: RiskClass;
  times: number;
  lastAt: number;
  available: number | null;
}

export type TracedAttempt = AcceptedAttempt | RefusedAttempt;

export interface Trace {
  sale: {
    saleId: string;
    title: string;
    startsAt: number;
    endsAt: number;
    totalStock: number;
    limitPerUser: number;
  };
  user: { userId: string; email: string; name: string };
  attempts: TracedAttempt[];
  risk: RiskClass;
  reservedAt: number | null;
  lost: number;
  keptSince: number;
}

export const getTrace = (saleId: string, user: string, signal?: AbortSignal) =>
  fetchJson<Trace>(`/api/admin/sales/${encodeURIComponent(saleId)}/why?${new URLSearchParams({ user })}`, {
    signal,
    cache: 'no-store',
  });
