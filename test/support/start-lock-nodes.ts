import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { openLockNodes } from '@/lib/lock/lock-nodes';
import { findRedis } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { startRedis } from '../../scripts/infra/redis.mjs';

export type TestNodes = {
  nodes: Redis[];
  /** Kills the i-th server as a crash would. */
  kill(i: number): Promise<void>;
  /** Freezes the i-th server's process: it accepts connections and never answers. `thaw` lets it continue. */
  freeze(i: number): void;
  thaw(i: number): void;
  stop(): Promise<void>;
};

/** Starts this many real Redis servers, independent of each other, with nothing on disk. */
export async function startNodes(count: number): Promise<TestNodes> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-lock-'));
  const reaper = startReaper(dir);
  const binary = findRedis({});
  const servers = await Promise.all(
    Array.from({ length: count }, async (_, i) =>
      startRedis({
        binary,
        dir: join(dir, String(i)),
        port: await anyFreePort(),
        logFile: join(dir, `${i}.log`),
        settings: { appendonly: 'no', save: '' },
        onSpawn: (child) => reaper.watch(child.pid),
      }),
    ),
  );
  const nodes = await openLockNodes(servers.map(({ url }) => url));
  return {
    nodes,
    kill: async (i) => {
      const child = servers[i]?.child;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      await ended;
    },
    freeze: (i) => void servers[i]?.child.kill('SIGSTOP'),
    thaw: (i) => void servers[i]?.child.kill('SIGCONT'),
    stop: async () => {
      for (const node of nodes) node.disconnect();
      for (const { child } of servers) child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}
