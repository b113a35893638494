import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { startRedis } from '../../scripts/infra/redis.mjs';

export type StockRedis = {
  url: string;
  /** Kills the server as a crash would. */
  kill(): Promise<void>;
  /** Starts it again at the same address. @param isEmpty without its file: everything it held is lost. */
  start(isEmpty?: boolean): Promise<void>;
  /** Freezes the server's process: it accepts connections and never answers. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
};

/**
 * Starts a Redis for one test file that keeps what it has acknowledged, like the product's; tests can kill it and
 * start it again.
 */
export async function startStockRedis(): Promise<StockRedis> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-stock-'));
  const data = join(dir, 'data');
  const reaper = startReaper(dir);
  const port = await anyFreePort();
  const launch = () =>
    startRedis({
      binary: findRedis({}),
      dir: data,
      port,
      logFile: join(dir, 'log'),
      settings: { appendonly: 'yes', appendfsync: 'always', save: '' },
      onSpawn: (child) => reaper.watch(child.pid),
    });
  let server = await launch();
  const kill = async () => {
    const { child } = server;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: server.url,
    kill,
    async start(isEmpty = false) {
      if (isEmpty) rmSync(data, { recursive: true, force: true });
      server = await launch();
    },
    freeze: () => void server.child.kill('SIGSTOP'),
    thaw: () => void server.child.kill('SIGCONT'),
    async stop() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}
