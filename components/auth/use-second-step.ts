'use client';

import { useCallback } from 'react';
import { useRouter } from '@/i18n/navigation';

/**
 * Returns a function that leads to the page for the second factor.
 * @param search the query of an address, whose `callbackUrl` is kept
 */
export function useSecondStep(): (search: string) => void {
  const router = useRouter();
  return useCallback(
    (search: string) => {
      const callbackUrl = new URLSearchParams(search).get('callbackUrl');
      const query = callbackUrl ? `?${new URLSearchParams({ callbackUrl })}` : '';
      router.replace(`/second-step${query}`);
    },
    [router],
  );
}
