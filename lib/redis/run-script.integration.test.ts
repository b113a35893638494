import { afterAll, beforeEach, expect, it } from 'vitest';
import { closeRedis, stockRedis } from './client';
import { loadScripts, runScript } from './run-script';

afterAll(closeRedis);
beforeEach(() => stockRedis().flushdb());

const lease = (owner: string, worker = 'w') =>
  runScript(
    stockRedis(),
    'lease-part-3',
    [`{${worker}}`, `{${worker}}:mark`, `{${worker}}:parts`],
    [owner, 30_000, 1_000, 500, 1, 0],
  );

it('loads a script that Redis does not know', async () => {
  await stockRedis().script('FLUSH');
  expect(await lease('ada')).toEqual(['leased', '0', '0', '1500']);
});

it('[C1] reads no file any more once all scripts are loaded: a process may have none left for a crowd', async () => {
  loadScripts();
  const root = process.cwd();
  process.chdir('/');
  try {
    expect(await runScript(stockRedis(), 'issue-fence-2', ['{f}', '{f}:lock'], ['nobody', 0])).toEqual([
      'not_held',
    ]);
  } finally {
    process.chdir(root);
  }
});

it('works inside one auto-pipeline after SCRIPT FLUSH, and each call takes effect once', async () => {
  await lease('warm', 'warm');
  await stockRedis().script('FLUSH');
  const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => lease(`owner_${i}`)));
  expect(replies.filter(([status]) => status === 'leased')).toHaveLength(1);
  expect(replies.filter(([status]) => status === 'taken')).toHaveLength(49);
});

it('refuses a wrong number of keys before anything is sent', async () => {
  await expect(runScript(stockRedis(), 'confirm-2', ['one'], [])).rejects.toThrow(
    'confirm-2 takes 2 keys, got 1',
  );
});

it("passes on a script's own errors instead of running it again", async () => {
  await stockRedis().set('sale', 'not a hash');
  await expect(runScript(stockRedis(), 'close-1', ['sale'], [1])).rejects.toThrow('WRONGTYPE');
});
