'use client';

import { useEffect } from 'react';

interface Action {
  isPending: boolean;
  isSuccess: boolean;
  reset: () => void;
}

/**
 * Tells whether an action that ends on another page is under way. It is not any more once the browser's *Back* shows the page
 * as it was kept.
 */
export function useIsLeaving({ isPending, isSuccess, reset }: Action): boolean {
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, [reset]);
  return isPending || isSuccess;
}
