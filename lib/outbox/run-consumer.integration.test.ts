import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import type { ConsumedMessage } from './consume-messages';
import { putMessage } from './put-message';
import { runConsumer } from './run-consumer';
import { silentLog } from './testing/silent-log';

afterAll(closeDb);
beforeEach(async () => {
  await db().outgoingMessage.deleteMany();
});

it('[E2] messages that trickle share batches; a backlog does not wait', async () => {
  const batches: { size: number; at: number }[] = [];
  // Long enough that there is always a message when a batch ends.
  const deliver = async (messages: readonly ConsumedMessage[]) => {
    batches.push({ size: messages.length, at: performance.now() });
    await delay(50);
  };
  const gate = { admits: 'all' as const, run: <T>(work: () => Promise<T>) => work() };
  const stop = new AbortController();
  for (let n = 0; n < 30; n += 1) await putMessage(db(), 'points', { n: String(n) });
  const running = runConsumer({ topic: 'points', batch: 10, gate, deliver }, silentLog, stop.signal);
  const arrived = () => batches.reduce((sum, { size }) => sum + size, 0);
  await expect.poll(arrived).toBe(30);
  for (let n = 0; n < 8; n += 1) {
    await putMessage(db(), 'points', { n: String(n) });
    await delay(20);
  }
  await expect.poll(arrived).toBe(38);
  stop.abort();
  await running;
  expect(batches.slice(0, 3).map(({ size }) => size)).toEqual([10, 10, 10]);
  const waits = batches.slice(3).map(({ at }, n) => at - (batches[n + 2]?.at ?? 0));
  for (const waitMs of waits.slice(1)) expect(waitMs).toBeGreaterThan(240);
});
