import { fetchJson } from '@/components/api/fetch-json';
import type { DeadLetterView, SyncFailureView } from '@/components/api/types';

export const getSyncFailures = (signal?: AbortSignal) =>
  fetchJson<{ failures: SyncFailureView[]; nextCursor: string | null }>('/api/admin/sync-failures', {
    signal,
    cache: 'no-store',
  });

/** The open dead letters of a sale, newest first. */
export const getDeadLetters = (saleId: string, signal?: AbortSignal) =>
  fetchJson<{ deadLetters: DeadLetterView[]; nextCursor: string | null }>(
    `/api/admin/dead-letters?saleId=${encodeURIComponent(saleId)}`,
    { signal, cache: 'no-store' },
  );

export const postRetry = (id: string) =>
  fetchJson<unknown>(`/api/admin/dead-letters/${id}/retry`, { method: 'POST', body: {} });

export const postDiscard = (id: string, reason: string) =>
  fetchJson<unknown>(`/api/admin/dead-letters/${id}/discard`, { method: 'POST', body: { reason } });
