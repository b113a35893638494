import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchPooler, pooledUrl } from '@/tools/harness/stack/launch-pooler';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { stopChild } from '../../scripts/infra/processes.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';

export type PgBouncer = {
  /** The same database through the pooler, with `pgbouncer=true`. */
  url: string;
  /** Ends the pooler and starts it anew, as an upgrade does. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a real PgBouncer in transaction mode before a database. @param connections it has for all its clients */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<PgBouncer> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-pgbouncer-'));
  const reaper = startReaper(dir);
  const port = await anyFreePort();
  let child: ChildProcess | undefined;
  const launch = () =>
    launchPooler({
      dir,
      port,
      databaseUrl,
      connections,
      logFile: join(dir, 'log'),
      onSpawn(started) {
        child = started;
        reaper.watch(started.pid);
      },
    });
  const end = async () => {
    if (child) await stopChild(child, { signal: 'SIGKILL' });
  };
  await launch();
  return {
    url: pooledUrl(databaseUrl, port),
    async restart() {
      await end();
      await launch();
    },
    async stop() {
      await end();
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}
