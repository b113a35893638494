import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withCheckoutLock } from './with-checkout-lock.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seckill-checkout-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('[L1] one works, the other waits and says for whom; then it has its turn', async () => {
  const order = [];
  let finish;
  const first = withCheckoutLock(root, async () => {
    order.push('first begins');
    await new Promise((resolve) => {
      finish = resolve;
    });
    order.push('first ends');
  });
  const wait = vi.fn();
  const second = withCheckoutLock(root, async () => order.push('second'), wait);
  await vi.waitFor(() => expect(wait).toHaveBeenCalled(), 50_000);
  expect(wait.mock.calls[0][0]()).toBe(
    `another command (process ${process.pid}) is installing or building in this checkout`,
  );
  finish();
  await Promise.all([first, second]);
  expect(order).toEqual(['first begins', 'first ends', 'second']);
});

it('[L1] who fails leaves no lock; that of a killed one is taken over', async () => {
  const file = join(root, '.seckill-checkout.lock');
  await expect(
    withCheckoutLock(root, async () => {
      throw new Error('no network');
    }),
  ).rejects.toThrow('no network');
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, JSON.stringify({ pid: process.pid, mark: 'some other time' }));
  expect(await withCheckoutLock(root, async () => 'done')).toBe('done');
});

it('[L1] in a checkout that is not there the work itself says what is wrong', async () => {
  await expect(withCheckoutLock(join(root, 'nowhere'), async () => 'done')).rejects.toThrow(/ENOENT/);
});
