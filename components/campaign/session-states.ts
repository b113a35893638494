import type { SaleListEntry } from '@/components/sale/shown-sale';
import type { LiveSale } from '@/lib/contract/shapes/sale';

/** A session as the timeline shows it; `next` is the first that has not started. */
export type SessionState = 'ended' | 'soldOut' | 'paused' | 'live' | 'opening' | 'next' | 'later';

export type Session = {
  sale: SaleListEntry;
  live: LiveSale | null;
  state: SessionState;
  startsAt: number;
  endsAt: number;
};

/**
 * Tells the state of each session at a moment by the server's clock, the first start first. A session is live only once
 * the server says so; until then it is opening.
 * @param now epoch ms; null before the clock is known: then the first one that is not over comes next
 */
export function sessionsAt(
  sales: readonly SaleListEntry[],
  live: ReadonlyMap<string, LiveSale>,
  now: number | null,
): Session[] {
  const sessions = sales.map((sale): Session => {
    const known = live.get(sale.saleId) ?? null;
    const { startsAt, endsAt } = known ?? sale;
    return { sale, live: known, startsAt, endsAt, state: stateOf(known, startsAt, endsAt, now) };
  });
  sessions.sort((a, b) => a.startsAt - b.startsAt);
  const next = sessions.find(({ state }) => state === 'later');
  return sessions.map((session) => (session === next ? { ...session, state: 'next' } : session));
}

function stateOf(live: LiveSale | null, startsAt: number, endsAt: number, now: number | null): SessionState {
  if (live?.status === 'ended' || (now !== null && now >= endsAt)) return 'ended';
  if (live?.status === 'sold_out') return 'soldOut';
  if (live?.status === 'paused' && now !== null && now >= startsAt) return 'paused';
  if (live?.status === 'live') return 'live';
  return now !== null && now >= startsAt ? 'opening' : 'later';
}
