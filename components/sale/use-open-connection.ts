'use client';

import { useEffect } from 'react';
import { clockStore } from '@/components/clock/clock-store';

/** How long before the start a page opens the connection, at random between the two: servers close an idle one after ten seconds, and not all pages may shake hands at once. */
const BEFORE_MS = { from: 8_000, to: 3_000 };
/** setTimeout can't wait longer than 24.8 days: a page that stays open so long shakes hands when it buys. */
const MAX_WAIT_MS = 2_147_483_647;

/** Returns in how many ms to open the connection. @param random 0 ≤ r < 1 */
export const openInMs = (toStartMs: number, random: number): number =>
  Math.max(0, toStartMs - BEFORE_MS.to - (BEFORE_MS.from - BEFORE_MS.to) * random);

/**
 * Opens the connection to the shop's other name shortly before the start, or now if the sale has begun: a press then
 * costs one round trip and no handshake. Without cookies, as the purchase is, because browsers keep such connections apart.
 * @param origin null: purchases go to the page's own name, whose connection is open
 * @param startsAt server epoch ms; null: nobody will buy
 */
export function useOpenConnection(origin: string | null, startsAt: number | null): void {
  useEffect(() => {
    if (origin === null || startsAt === null) return;
    const waitMs = openInMs(startsAt - clockStore().now(), Math.random());
    if (waitMs > MAX_WAIT_MS) return;
    const link = document.createElement('link');
    Object.assign(link, { rel: 'preconnect', href: origin, crossOrigin: 'anonymous' });
    const timer = setTimeout(() => document.head.append(link), waitMs);
    return () => {
      clearTimeout(timer);
      link.remove();
    };
  }, [origin, startsAt]);
}
