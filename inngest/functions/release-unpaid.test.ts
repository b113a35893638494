import type { Inngest } from 'inngest';
import { expect, it, vi } from 'vitest';

const releaseDue = vi.hoisted(() => vi.fn());
vi.mock('@/lib/payment/release-unpaid', () => ({ releaseDue }));

import { releaseUnpaidFunction } from './release-unpaid';

type Run = (context: {
  event: { data: { saleIds: string[] } | { saleId: string } };
}) => Promise<{ cancelled: number }>;

it.each([
  [false, 0],
  [true, 1],
])('[C7] a run that leaves more (%s) is followed by %s', async (hasMore, runs) => {
  releaseDue.mockResolvedValue({ cancelled: 20_000, hasMore });
  const send = vi.fn();
  // The function is what the SDK would call.
  const createFunction = (_options: unknown, run: Run) => run;
  const run = releaseUnpaidFunction({ createFunction, send } as unknown as Inngest) as unknown as Run;
  expect(await run({ event: { data: { saleIds: ['sale_1', 'sale_2'] } } })).toEqual({ cancelled: 20_000 });
  expect(send).toHaveBeenCalledTimes(runs);
  if (runs === 1)
    expect(send.mock.calls[0]?.[0]).toMatchObject({
      name: 'orders/due',
      data: { saleIds: ['sale_1', 'sale_2'] },
    });
  expect(releaseDue).toHaveBeenLastCalledWith(['sale_1', 'sale_2']);
  // A timer set by the release before.
  await run({ event: { data: { saleId: 'sale_3' } } });
  expect(releaseDue).toHaveBeenLastCalledWith(['sale_3']);
});
