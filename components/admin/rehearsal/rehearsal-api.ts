import { fetchJson } from '@/components/api/fetch-json';
import type { RehearsalView } from '@/lib/rehearsal/types';

const path = (saleId: string) => `/api/admin/sales/${encodeURIComponent(saleId)}/rehearsals`;

/** The latest rehearsal of a sale, or null. */
export const getLatestRehearsal = async (
  saleId: string,
  signal?: AbortSignal,
): Promise<RehearsalView | null> => {
  const { rehearsals } = await fetchJson<{ rehearsals: RehearsalView[] }>(`${path(saleId)}?limit=1`, {
    signal,
    cache: 'no-store',
  });
  return rehearsals[0] ?? null;
};

export const postRehearsal = (saleId: string, shoppers: number) =>
  fetchJson<RehearsalView>(path(saleId), { method: 'POST', body: { shoppers } });
