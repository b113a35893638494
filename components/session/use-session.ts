'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { fetchJson } from '@/components/api/fetch-json';
import type { Role } from '@/lib/account/roles';

export interface SessionUser {
  id: string;
  email: string;
  name: string | null;
  role: Role;
}

export type Session =
  | { status: 'loading' }
  | { status: 'signed_out' }
  | { status: 'signed_in'; user: SessionUser };

const KEY = ['session'];

/** NextAuth answers `{}` when nobody is signed in. */
const getSession = (signal: AbortSignal) =>
  fetchJson<{ user?: SessionUser }>('/api/auth/session', { signal, cache: 'no-store' });

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

/** Asks again who is signed in: after signing in or out, and when a request was refused as unauthenticated. */
export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.refetchQueries({ queryKey: KEY }), [client]);
}
