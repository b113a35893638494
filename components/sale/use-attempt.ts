'use client';

import { useCallback, useSyncExternalStore } from 'react';
import { type Attempt, NO_ATTEMPT } from '@/components/attempt/attempt';
import { readAttempt, subscribeAttempt } from '@/components/attempt/attempt-store';

const none = () => NO_ATTEMPT;
const nothing = () => {};

/** Returns the shopper's attempt, the same in every tab. @param key from attemptKey; null while no shopper is signed in */
export function useAttempt(key: string | null): Attempt {
  const subscribe = useCallback(
    (listener: () => void) => (key ? subscribeAttempt(key, listener) : nothing),
    [key],
  );
  const read = useCallback(() => (key ? readAttempt(key) : NO_ATTEMPT), [key]);
  return useSyncExternalStore(subscribe, read, none);
}
