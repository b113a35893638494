'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRefreshSession } from '@/components/session/use-session';

/** Returns a function that asks again for all that changes with a factor: sessions end, and staff may enter the admin area. */
export function useRefreshFactors(): () => Promise<unknown> {
  const client = useQueryClient();
  const refreshSession = useRefreshSession();
  return () =>
    Promise.all([
      ...['factors', 'sessions'].map((name) => client.refetchQueries({ queryKey: [name] })),
      refreshSession(),
    ]);
}
