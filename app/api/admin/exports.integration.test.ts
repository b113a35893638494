import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { GET as exportAudit } from './audit/export/route';
import { GET as exportBlocks } from './blocks/export/route';
import { GET as exportOrders } from './orders/export/route';

/** Simulates an endless file and records what became of it; fails at a chosen piece when a test says so. */
const file = vi.hoisted(() => {
  const state = { made: 0, isEnded: false, failsAt: Number.POSITIVE_INFINITY };
  async function* pieces() {
    try {
      for (;;) {
        state.made += 1;
        if (state.made === state.failsAt) throw new Error('the server went away');
        yield `piece ${state.made}\r\n`;
      }
    } finally {
      state.isEnded = true;
    }
  }
  return { state, pieces };
});
vi.mock('@/lib/order/admin/export-orders', () => ({ exportOrders: file.pieces }));
vi.mock('@/lib/audit/admin/export-audit', () => ({ exportAudit: file.pieces }));
vi.mock('@/lib/block/admin/export-blocks', () => ({ exportBlocks: file.pieces }));

beforeEach(() => {
  Object.assign(file.state, { made: 0, isEnded: false, failsAt: Number.POSITIVE_INFINITY });
});
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

async function readerOf(handler: typeof exportOrders) {
  const { userId } = await makeUser('admin');
  const answer = await callWith(await sessionOf(userId), handler);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/);
  const reader = answer.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  return { read: async () => String(Buffer.from((await reader.read()).value ?? [])), reader };
}

describe.each([
  ['orders', exportOrders],
  ['audit log', exportAudit],
  ['blocks', exportBlocks],
] as const)('the file of %s', (_, handler) => {
  it('[L3] opens in Excel, is made as it is read, and no longer than somebody reads', async () => {
    const { read, reader } = await readerOf(handler);
    expect(await read()).toBe('\uFEFFpiece 1\r\n');
    // A slow reader has only a few pieces waiting, never all of them.
    for (let n = 0; n < 1_000; n += 1) await turn();
    expect(file.state.made).toBeLessThan(10);
    expect(await read()).toBe('piece 2\r\n');
    await reader.cancel();
    await expect.poll(() => file.state.isEnded).toBe(true);
    const { made } = file.state;
    for (let n = 0; n < 1_000; n += 1) await turn();
    expect(file.state.made).toBe(made);
  });

  it('[L3] that fails in the middle is cut off, not ended', async () => {
    file.state.failsAt = 5;
    const { read } = await readerOf(handler);
    expect(await read()).toBe('\uFEFFpiece 1\r\n');
    const readOn = async () => {
      for (let n = 0; n < 10; n += 1) await read();
    };
    await expect(readOn()).rejects.toThrow('the server went away');
  });
});
