'use client';

import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { fetchJson } from '@/components/api/fetch-json';
import type { SessionUser, Visit } from '@/lib/contract/shapes/account';
import { visitAddress } from './visit-address';
import { reservationKey, UNREAD_KEY } from './visit-keys';

type Session = { status: 'loading' } | { status: 'signed_out' } | { status: 'signed_in'; user: SessionUser };

type Answer = Pick<Visit, 'user' | 'signInServer'>;

const KEY = ['session'];

/**
 * Asks who visits this page. The answer also carries the unread count and the reservation, so their components do not
 * ask again.
 */
async function readVisit(client: QueryClient, signal: AbortSignal): Promise<Answer> {
  const address = visitAddress(globalThis.location.pathname);
  const { user, signInServer, unread, reservation } = await fetchJson<Visit>(address, {
    signal,
    cache: 'no-store',
  });
  // Values in the cache may be newer than this answer: the shopper may have reserved meanwhile.
  const prime = (key: QueryKey, known: unknown) => client.setQueryData(key, (before) => before ?? known);
  if (user && unread !== null) prime(UNREAD_KEY, { unread });
  if (user && reservation) prime(reservationKey(reservation.saleId, user.id), reservation.reservedAt);
  return { user, signInServer };
}

const useVisit = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ client, signal }) => readVisit(client, signal),
    staleTime: 60_000,
    retry: 5,
  });

/** Returns the name of the server that signs people in; null where the shop has none, and as long as it is not known. */
export const useSignInServer = (): string | null => useVisit().data?.signInServer ?? null;

/** Returns who is signed in. Pages are the same for every visitor, so the browser asks for this. */
export function useSession(): Session {
  const { data } = useVisit();
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
  return status === 'success' ? Boolean(data?.user) : null;
}
