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
  urls: string[];
  /** Kills the i-th server as a crash would. */
  kill(i: number): Promise<void>;
  /** Starts the i-th server again after `kill`, at its old address and with nothing in it. */
  revive(i: number): Promise<void>;
  /** Freezes the i-th server's process: it accepts connections and never answers. `thaw` lets it continue. */
  freeze(i: number): void;
  thaw(i: number): void;
  stop(): Promise<void>;
};

const untilReady = (node: Redis): Promise<unknown> =>
  node.status === 'ready' ? Promise.resolve() : new Promise((resolve) => node.once('ready', resolve));

/** Starts this many real Redis servers, independent of each other, with nothing on disk. */
export async function startNodes(count: number): Promise<TestNodes> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-lock-'));
  const reaper = startReaper(dir);
  const binary = findRedis({});
  const start = (i: number, port: number) =>
    startRedis({
      binary,
      dir: join(dir, String(i)),
      port,
      logFile: join(dir, `${i}.log`),
      settings: { appendonly: 'no', save: '' },
      onSpawn: (child) => reaper.watch(child.pid),
    });
  const servers = await Promise.all(
    Array.from({ length: count }, async (_, i) => start(i, await anyFreePort())),
  );
  const urls = servers.map(({ url }) => url);
  const nodes = await openLockNodes(urls);
  // One that was too slow to connect at first comes soon; until then it would refuse every command.
  await Promise.all(nodes.map(untilReady));
  return {
    nodes,
    urls,
    kill: async (i) => {
      const child = servers[i]?.child;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      await ended;
    },
    revive: async (i) => {
      servers[i] = await start(i, Number(new URL(urls[i] ?? '').port));
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
