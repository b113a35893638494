import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { withLock } from './with-lock';

beforeAll(async () => {
  await db().$executeRaw`CREATE TABLE notes (id text PRIMARY KEY, text text NOT NULL, fence bigint NOT NULL)`;
  await db().$executeRaw`INSERT INTO notes VALUES ('note', 'new', 0)`;
});
afterAll(async () => {
  await closeDb();
  await closeRedis();
});

it('[D3 D5] the late write of a holder that was stopped is refused by its fence', async () => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=react-server', 'lib/lock/testing/paused-holder.ts'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  try {
    const lines = on(createInterface(child.stdout), 'line');
    const next = async () => JSON.parse((await lines.next()).value[0]) as Record<string, unknown>;

    const held = await next();
    expect(held.step).toBe('held');
    child.kill('SIGSTOP');
    // Its lock expires because it is not renewed.
    await vi.waitFor(
      async () => expect(await stockRedis().exists(keys.lockHolder('paused:note'))).toBe(0),
      30_000,
    );

    const ours = await withLock('paused:note', { ttlMs: 60_000 }, async ({ fence }) => {
      const rows = await write('ours', fence);
      return { fence, rows };
    });
    if (ours.status !== 'done') throw new Error(ours.status);
    expect(ours.value.fence).toBeGreaterThan(held.fence as number);
    expect(ours.value.rows).toBe(1);

    child.kill('SIGCONT');
    child.stdin.write('go on\n');
    expect(await next()).toMatchObject({ step: 'wrote', rowCount: 0, remainingMs: 0 });
    expect(await db().$queryRaw`SELECT text FROM notes`).toEqual([{ text: 'ours' }]);
  } finally {
    child.kill('SIGKILL');
  }
});

it('[D5] a holder that is not late may write as often as it likes', async () => {
  await withLock('paused:note', { ttlMs: 60_000 }, async ({ fence }) => {
    expect(await write('once', fence)).toBe(1);
    expect(await write('twice', fence)).toBe(1);
    expect(await write('late', fence - 1)).toBe(0);
  });
});

const write = (text: string, fence: number) =>
  db().$executeRaw`UPDATE notes SET text = ${text}, fence = ${fence} WHERE id = 'note' AND fence <= ${fence}`;
