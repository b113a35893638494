'use client';

import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/** False in the static page and while it comes alive, true from then on. */
export function useIsClient(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
