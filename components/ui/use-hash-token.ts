'use client';

import { useSyncExternalStore } from 'react';

/**
 * Returns the token of a mail's link, which stands behind the # of the page's address: '' if it has none, null until the
 * page has hydrated. Opening another link in the same tab changes only the token.
 */
export const useHashToken = () =>
  useSyncExternalStore<string | null>(
    (onChange) => {
      window.addEventListener('hashchange', onChange);
      return () => window.removeEventListener('hashchange', onChange);
    },
    () => window.location.hash.slice(1),
    () => null,
  );
