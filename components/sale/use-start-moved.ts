'use client';

import { useState } from 'react';

/**
 * Tells whether the merchant moved a sale's start under the visitor's eyes.
 * @param now server time, epoch ms; null until known
 */
export function useStartMoved(startsAt: number, now: number | null): boolean {
  const [seen, setSeen] = useState({ startsAt, isMoved: false });
  // A start that had passed was not moved: the demo's sales start again.
  if (seen.startsAt !== startsAt) setSeen({ startsAt, isMoved: now !== null && now < seen.startsAt });
  return seen.isMoved;
}
