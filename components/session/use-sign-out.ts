'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { fetchJson } from '@/components/api/fetch-json';
import { forgetAttempts } from '@/components/attempt/attempt-store';
import { tellTabs } from './other-tabs';

/** Returns a function that forgets what this tab keeps of the last visitor and fetches again what the page shows. */
export function useForgetVisitor(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    forgetAttempts();
    await client.resetQueries();
  }, [client]);
}

/**
 * Signs out: the session ends at the shop, and this browser forgets its entry tokens and answers, in every tab.
 * @returns a function that signs out; throws ApiProblem if the shop could not end the session
 */
export function useSignOut(): () => Promise<void> {
  const forget = useForgetVisitor();
  return useCallback(async () => {
    await fetchJson('/api/auth/signout', { method: 'POST', body: {} });
    tellTabs('signed-out');
    await forget();
  }, [forget]);
}
