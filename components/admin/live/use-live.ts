'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { getLive, type LiveSample } from './live-api';
import { openLiveStream } from './live-stream';
import { type LivePoint, mergePoints } from './series';

const EVERY_MS = 1000;
/** Tabs in the background give their connection back: a browser has six for the whole shop where there is no HTTP/2. */
const HIDDEN_MS = 5000;

/**
 * A sale's figures of this second and what was drawn over the last fifteen minutes. They come by themselves; while they
 * don't, they are asked for each second.
 */
export function useLive(saleId: string) {
  const client = useQueryClient();
  const [isStreaming, setStreaming] = useState(false);
  const points = useRef<LivePoint[]>([]);
  const take = useCallback((sample: LiveSample): LiveSample => {
    points.current = mergePoints(points.current, sample.points);
    return { ...sample, points: points.current };
  }, []);
  const since = useCallback(() => points.current.at(-1)?.at ?? 0, []);

  useEffect(() => {
    let close: (() => void) | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      close ??= openLiveStream(saleId, {
        since,
        onSample: (sample) => client.setQueryData(['admin-live', saleId], take(sample)),
        onHealth: setStreaming,
      });
    };
    const shut = () => {
      close?.();
      close = null;
    };
    const onVisibility = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden') timer = setTimeout(shut, HIDDEN_MS);
      else open();
    };
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
      shut();
    };
  }, [saleId, client, take, since]);

  const query = useQuery({
    queryKey: ['admin-live', saleId],
    queryFn: async ({ signal }) => take(await getLive(saleId, since(), signal)),
    refetchInterval: isStreaming ? false : EVERY_MS,
    retry: false,
    // Comparing each sample with the one before would cost more than it saves: all of it is new.
    structuralSharing: false,
    gcTime: 0,
  });
  return { ...query, isStreaming };
}
