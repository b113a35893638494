import { fetchJson } from '@/components/api/fetch-json';

interface Accepted {
  outcome: 'accepted';
  at: number;
  orderNo: string;
  quantity: number;
}

interface Refused {
  outcome: 'refused';
  at: number;
  lastAt: number;
  place: 'entry' | 'purchase';
  code: string;
  times: number;
  /** −1 = unlimited; null: nobody noted it. */
  available: number | null;
}

export type OwnAttempt = Accepted | Refused;

export interface Explanation {
  startsAt: number;
  totalStock: number;
  soldOutAt: number | null;
  attempts: OwnAttempt[];
  isComplete: boolean;
}

/** What became of the signed-in shopper's own attempts. */
export const getExplanation = (saleId: string, signal?: AbortSignal) =>
  fetchJson<Explanation>(`/api/sales/${encodeURIComponent(saleId)}/why`, { signal, cache: 'no-store' });
