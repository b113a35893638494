import { describe, expect, it } from 'vitest';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import type { BuyerEntry } from '@/lib/stock/load-stock';
import { admitInFlight, mergeBuyers } from './merge-buyers';

const order = (n: number, userId: string, quantity = 1): AcceptedOrder => ({
  orderNo: String(n),
  userId,
  quantity,
  jti: `jti_${n}`,
  epoch: 1,
  acceptedAt: 0,
});
const record = (n: number, state: 'held' | 'released', quantity = 1) => ({
  jti: `jti_${n}`,
  orderNo: String(n),
  quantity,
  state,
});

describe('admitInFlight', () => {
  it('[J4 C6] gives units in order, skips what no longer fits, and the tiers add up', () => {
    const orders = [order(1, 'ada', 2), order(2, 'ben', 3), order(3, 'ada', 2)];
    const { tiers, byUser } = admitInFlight({ total: 10, held: 3, sold: 3 }, orders);
    expect(tiers).toEqual({ total: 10, available: 0, held: 7, sold: 3 });
    expect(byUser.get('ada')).toEqual([record(1, 'held', 2), record(3, 'held', 2)]);
    expect(byUser.get('ben')).toEqual([record(2, 'released', 3)]);
  });

  it('[O3 J4] gives units of the variant that was bought, and none of another', () => {
    const orders = [
      { ...order(1, 'ada', 2), variant: 2 },
      { ...order(2, 'ben', 2), variant: 2 },
      { ...order(3, 'cyd'), variant: 1 },
      order(4, 'dan'),
    ];
    const committed = { total: 9, held: 1, sold: 2, variants: [3, 3] };
    const { tiers, variants, byUser } = admitInFlight(committed, orders);
    expect(tiers).toEqual({ total: 9, available: 3, held: 4, sold: 2 });
    expect(variants).toEqual([2, 1]);
    expect([...byUser.values()].flat().map(({ state }) => state)).toEqual([
      'held',
      'released',
      'held',
      'released',
    ]);
    expect(byUser.get('ada')).toEqual([{ ...record(1, 'held', 2), variant: 2 }]);
  });

  it('[C1] fits everything where stock is unlimited', () => {
    const { tiers } = admitInFlight({ total: -1, held: 1, sold: 0 }, [order(1, 'ada', 1_000)]);
    expect(tiers).toEqual({ total: -1, available: -1, held: 1_001, sold: 0 });
  });
});

describe('mergeBuyers', () => {
  it('[F2] each user comes once, with what is written and what is on its way', async () => {
    async function* written(): AsyncGenerator<BuyerEntry> {
      yield { userId: 'ada', records: [record(1, 'released')] };
      yield { userId: 'ben', records: [record(2, 'held')] };
    }
    const inFlight = new Map([
      ['ada', [record(3, 'held')]],
      ['cid', [record(4, 'held')]],
    ]);
    const merged: BuyerEntry[] = [];
    for await (const entry of mergeBuyers(written(), inFlight)) merged.push(entry);
    expect(merged).toEqual([
      { userId: 'ada', records: [record(1, 'released'), record(3, 'held')] },
      { userId: 'ben', records: [record(2, 'held')] },
      { userId: 'cid', records: [record(4, 'held')] },
    ]);
  });

  it('[C6 J4] an order that was given up since it was found on its way is there once, as the tiers have it', async () => {
    async function* written(): AsyncGenerator<BuyerEntry> {
      yield { userId: 'ada', records: [record(1, 'released'), record(2, 'released')] };
    }
    const merged: BuyerEntry[] = [];
    for await (const entry of mergeBuyers(written(), new Map([['ada', [record(2, 'held')]]])))
      merged.push(entry);
    expect(merged).toEqual([{ userId: 'ada', records: [record(1, 'released'), record(2, 'held')] }]);
  });
});
