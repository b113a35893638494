import { expect, it } from 'vitest';
import { eventually } from '@/test/support/eventually';
import { createDispatcher } from './dispatcher';
import type { Executor } from './types';

it('[E7] looks again at once when something falls due while it looks', async () => {
  const dueAtMs = 1_000_000;
  // The clock is a moment early when the dispatcher looks, and the work is due from then on. The claims find nothing.
  const early = [dueAtMs - 1];
  let claims = 0;
  const client = {
    query: async (statement: unknown) => {
      if (typeof statement === 'object') claims += 1;
      return { rows: [] };
    },
    release: () => {},
  };
  const dispatcher = createDispatcher({
    pool: { connect: async () => client, query: async () => ({ rows: [{ due: new Date(dueAtMs) }] }) },
    config: {
      clock: () => early.shift() ?? dueAtMs,
      pollMs: 60_000,
      leaseMs: 60_000,
      maxConcurrentCalls: 1,
      stopTimeoutMs: 0,
    },
    owner: 'test',
  } as unknown as Executor);
  dispatcher.wake();
  await eventually(() => expect(claims).toBe(2));
  await dispatcher.stop();
  // The dispatcher does not keep asking for work that is due and can't be claimed.
  expect(claims).toBe(2);
});
