'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isOff, type Off, toOff } from '@/components/api/api-problem';
import { openEventStream } from '@/components/api/event-stream';
import { addressOf, request } from '@/components/api/request';
import { whileVisible } from '@/components/api/while-visible';
import type { Live, LivePoint } from '@/lib/contract/shapes/live';
import { newerSale } from './newer-sale';
import { mergePoints } from './series';

const EVERY_MS = 1000;
/** The server sends something about every two seconds. After this much silence the stream counts as broken. */
const SILENCE_MS = 6000;
/** How long to wait before a refused stream is opened again. Meanwhile the page asks by request. */
const REFUSED = { baseMs: 2000, capMs: 30_000 };

const WITHIN_MS = 5000;

/** The live figures together with the points that are drawn over time. */
export type LiveSample = Live & { points: LivePoint[] };

/**
 * Returns a sale's figures of this second and the points of the last fifteen minutes. The server streams them; while
 * the stream is down, the page asks for them each second. While the live view is switched off it says so instead.
 */
export function useLive(saleId: string) {
  const client = useQueryClient();
  const [isStreaming, setStreaming] = useState(false);
  const points = useRef<LivePoint[]>([]);
  const sale = useRef<Live['sale'] | null>(null);
  const take = useCallback((sample: Live): LiveSample => {
    points.current = mergePoints(points.current, sample.points ?? []);
    sale.current = newerSale(sale.current, sample.sale);
    return { ...sample, sale: sale.current, points: points.current };
  }, []);
  const since = useCallback(() => points.current.at(-1)?.at ?? 0, []);

  useEffect(() => {
    const open = () =>
      openEventStream<Live>({
        url: () =>
          addressOf('GET /api/admin/sales/{saleId}/live/events', {
            params: { saleId },
            query: { since: since() },
          }),
        silenceMs: SILENCE_MS,
        refused: REFUSED,
        onMessage: (sample) => client.setQueryData(['admin-live', saleId], take(sample)),
        onHealth: setStreaming,
      });
    return whileVisible(open);
  }, [saleId, client, take, since]);

  const query = useQuery({
    queryKey: ['admin-live', saleId],
    queryFn: ({ signal }): Promise<LiveSample | Off> =>
      request('GET /api/admin/sales/{saleId}/live', {
        params: { saleId },
        query: { since: since() },
        signal,
        timeoutMs: WITHIN_MS,
      }).then(take, toOff),
    refetchInterval: ({ state: { data } }) => {
      if (isOff(data)) return data.offForMs;
      return isStreaming ? false : EVERY_MS;
    },
    retry: false,
    // Every sample is all new. Comparing it with the one before would cost more than it saves.
    structuralSharing: false,
    gcTime: 0,
  });
  return { ...query, isStreaming };
}
