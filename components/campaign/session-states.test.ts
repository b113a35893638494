import { describe, expect, it } from 'vitest';
import type { SaleListEntry } from '@/components/sale/shown-sale';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { sessionsAt } from './session-states';

const sale = (saleId: string, startsAt: number) =>
  ({ saleId, startsAt, endsAt: startsAt + 100 }) as SaleListEntry;
const live = (saleId: string, startsAt: number, status: LiveSale['status']) =>
  [saleId, { saleId, startsAt, endsAt: startsAt + 100, status } as LiveSale] as const;
const states = (...args: Parameters<typeof sessionsAt>) =>
  sessionsAt(...args).map(({ sale: { saleId }, state }) => `${saleId} ${state}`);

const sales = [sale('noon', 200), sale('ten', 100), sale('evening', 400)];

describe('[A8] sessions of a campaign', () => {
  it('stand in the order of their starts, and the first to come is the next', () => {
    const known = new Map([
      live('ten', 100, 'ended'),
      live('noon', 200, 'live'),
      live('evening', 400, 'scheduled'),
    ]);
    expect(states(sales, known, 250)).toEqual(['ten ended', 'noon live', 'evening next']);
    expect(states(sales, new Map(), null)).toEqual(['ten next', 'noon later', 'evening later']);
  });
  it('are live only when the server says so, and over by either', () => {
    const known = new Map([live('noon', 200, 'scheduled'), live('evening', 400, 'paused')]);
    expect(states(sales, known, 210)).toEqual(['ten ended', 'noon opening', 'evening next']);
    expect(states(sales, known, 410)).toEqual(['ten ended', 'noon ended', 'evening paused']);
    expect(states(sales, new Map([live('ten', 100, 'sold_out')]), 110)[0]).toBe('ten soldOut');
  });
});
