'use client';

import { useCallback } from 'react';
import { useRouter } from '@/i18n/navigation';
import { callbackPath } from './callback-path';

/** Returns a function that goes back to where the visitor came from. */
export function useReturn(): () => void {
  const router = useRouter();
  return useCallback(() => {
    router.replace(callbackPath(window.location.search, window.location.origin));
  }, [router]);
}
