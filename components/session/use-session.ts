'use client';

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { fetchJson } from '@/components/api/fetch-json';
import type { SessionUser } from '@/lib/contract/shapes/account';

export type Session =
  | { status: 'loading' }
  | { status: 'signed_out' }
  | { status: 'signed_in'; user: SessionUser };

/** `{}` when nobody is signed in. */
type Answer = { user?: SessionUser };

const KEY = ['session'];

const getSession = (signal: AbortSignal) =>
  fetchJson<Answer>('/api/auth/session', { signal, cache: 'no-store' });

/** Who is signed in. Pages are the same for everybody, so this is asked by the browser. */
export function useSession(): Session {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => getSession(signal),
    staleTime: 60_000,
    retry: 5,
  });
  if (!data) return { status: 'loading' };
  return data.user ? { status: 'signed_in', user: data.user } : { status: 'signed_out' };
}

/**
 * Asks again who is signed in: after signing in, and when a request was refused as unauthenticated.
 * @returns whether somebody is; null if the shop could not be asked
 */
export function useRefreshSession(): () => Promise<boolean | null> {
  const client = useQueryClient();
  return useCallback(() => refreshSession(client), [client]);
}

/** See `useRefreshSession`. */
export async function refreshSession(client: QueryClient): Promise<boolean | null> {
  await client.refetchQueries({ queryKey: KEY });
  // What was known before stays where the shop could not be asked, and says nothing of now.
  const { status, data } = client.getQueryState<Answer>(KEY) ?? {};
  return status === 'success' ? data?.user !== undefined : null;
}
