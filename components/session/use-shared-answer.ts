'use client';

import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';

const CHANNEL = 'seckill:own';

interface News {
  /** The key of the query, as JSON. */
  name: string;
  data: unknown;
}

/**
 * Shares a query's data between all windows of this browser: what one window has changed, the others show without asking.
 * @param queryKey names the user, too: windows in which somebody else is signed in don't take it
 * @returns a function that sets the data in every window
 */
export function useSharedAnswer<T>(queryKey: QueryKey): (data: T) => Promise<void> {
  const client = useQueryClient();
  const channel = useRef<BroadcastChannel | null>(null);
  const name = JSON.stringify(queryKey);

  const take = useCallback(
    async (data: unknown) => {
      const own = JSON.parse(name) as QueryKey;
      // An answer that is under way is older.
      await client.cancelQueries({ queryKey: own, exact: true });
      client.setQueryData(own, data);
    },
    [client, name],
  );
  useEffect(() => {
    if (!('BroadcastChannel' in globalThis)) return;
    const opened = new BroadcastChannel(CHANNEL);
    channel.current = opened;
    opened.onmessage = ({ data: news }: MessageEvent<News>) => {
      if (news.name === name) void take(news.data);
    };
    return () => {
      opened.close();
      channel.current = null;
    };
  }, [name, take]);

  return useCallback(
    (data: T) => {
      channel.current?.postMessage({ name, data } satisfies News);
      return take(data);
    },
    [name, take],
  );
}
