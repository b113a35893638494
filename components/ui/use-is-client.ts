'use client';

import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/** Returns false in the prerendered page and while it hydrates, true from then on. */
export function useIsClient(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
