'use client';

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { fetchJson } from '@/components/api/fetch-json';
import type { SessionUser } from '@/lib/contract/shapes/account';

export type Session =
  | { status: 'loading' }
  | { status: 'signed_out' }
  | { status: 'signed_in'; user: SessionUser };

/** `{}` when no user is signed in. */
type Answer = { user?: SessionUser };

const KEY = ['session'];

const getSession = (signal: AbortSignal) =>
  fetchJson<Answer>('/api/auth/session', { signal, cache: 'no-store' });

/** Returns who is signed in. Pages are the same for every visitor, so the browser asks for this. */
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
 * Returns a function that asks again who is signed in: after signing in, and when the server refused a request as
 * unauthenticated.
 * @returns whether a user is signed in; null if the shop could not be reached
 */
export function useRefreshSession(): () => Promise<boolean | null> {
  const client = useQueryClient();
  return useCallback(() => refreshSession(client), [client]);
}

/** See `useRefreshSession`. */
export async function refreshSession(client: QueryClient): Promise<boolean | null> {
  await client.refetchQueries({ queryKey: KEY });
  // If the shop could not be reached, the cache keeps the old answer, which says nothing about now.
  const { status, data } = client.getQueryState<Answer>(KEY) ?? {};
  return status === 'success' ? data?.user !== undefined : null;
}
