import { afterAll, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { checkReadiness } from '@/lib/health/check-readiness';
import { log } from '@/lib/http/log';
import { UNLEASED_WORKER } from '@/lib/ids/order-no';
import { processSamples } from '@/lib/metrics/process-figures';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { issueOrderNo, releaseOrderNos } from './issue-order-no';
import { giveUpOrderNos, keepOrderNos } from './keep-order-nos';
import { NoWorkerFreeError } from './lease-worker';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

const told = () => processSamples().find(({ name }) => name === 'seckill_process_ready')?.value;

it('[E8 K5] a process without order numbers is not ready and says so, until it gets some', async () => {
  const numbers = Array.from({ length: UNLEASED_WORKER }, (_, i) => keys.worker(i));
  await Promise.all(numbers.map((key) => stockRedis().set(key, 'somebody')));
  const said = vi.spyOn(log, 'error');
  await keepOrderNos();
  expect((await checkReadiness()).orderNumbers).toMatchObject({ ok: false });
  expect((await checkReadiness()).ready).toBe(false);
  expect(told()).toBe(0);

  // Purchases are refused without asking Redis for each.
  const evalsha = vi.spyOn(stockRedis(), 'evalsha');
  for (let i = 0; i < 200; i += 1) await expect(issueOrderNo('ada')).rejects.toThrow(NoWorkerFreeError);
  expect(evalsha.mock.calls.length).toBeLessThanOrEqual(4 * numbers.length);
  expect(said).toHaveBeenCalledTimes(1);

  await stockRedis().del(keys.worker(3));
  await expect.poll(async () => (await checkReadiness()).orderNumbers).toEqual({ ok: true });
  expect(told()).toBe(1);
  expect(await issueOrderNo('ada')).toMatch(/^\d+$/);
  expect(said).toHaveBeenCalledTimes(1);

  await giveUpOrderNos();
  // Longer than the wait between two tries.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await checkReadiness()).orderNumbers).toMatchObject({ ok: false });
});
