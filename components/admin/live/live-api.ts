import { fetchJson } from '@/components/api/fetch-json';
import type { LiveNumbers } from '@/components/api/types';
import type { LivePoint } from './series';

/** The desk's figures, with what is drawn over time as far as it was asked for. */
export type LiveSample = LiveNumbers & { points: LivePoint[] };

const live = (saleId: string) => `/api/admin/sales/${encodeURIComponent(saleId)}/live`;

/** @param since epoch ms: until then everything that is drawn is known */
export const getLive = (saleId: string, since: number, signal?: AbortSignal) =>
  fetchJson<LiveSample>(`${live(saleId)}?since=${since}`, { signal, cache: 'no-store', timeoutMs: 5000 });

export const liveEventsUrl = (saleId: string, since: number) => `${live(saleId)}/events?since=${since}`;
