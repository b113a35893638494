import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { startPostgres } from '../../../scripts/infra/postgres.mjs';
import { startRedis } from '../../../scripts/infra/redis.mjs';
import type { Workspace } from './open-workspace';

type Place = Pick<Workspace, 'dir' | 'logFile' | 'watch'>;
type Launch = { workspace: Place; port: number; onSpawn?: (child: ChildProcess) => void };

/** Redis settings as durable as the product's own. */
const DURABLE = { appendonly: 'yes', appendfsync: 'always', save: '' };

export const redisDirOf = ({ dir }: Pick<Workspace, 'dir'>, name = 'redis'): string => join(dir, name);

/** Starts the workspace's Postgres, on the files it had. Resolves once it answers. */
export function launchPostgres({ workspace, port, password, onSpawn }: Launch & { password: string }) {
  return startPostgres({
    dir: join(workspace.dir, 'postgres'),
    port,
    password,
    logFile: workspace.logFile('postgres'),
    onSpawn: watched(workspace, onSpawn),
  });
}

/**
 * Starts a Redis of the workspace, on the files it had. Resolves once it answers.
 * @param settings beyond those for durability
 */
export function launchRedis({
  workspace,
  port,
  binary,
  name = 'redis',
  settings = {},
  onSpawn,
}: Launch & { binary: string; name?: string; settings?: Record<string, string | number> }) {
  return startRedis({
    binary,
    dir: redisDirOf(workspace, name),
    port,
    logFile: workspace.logFile(name),
    settings: { ...DURABLE, ...settings },
    onSpawn: watched(workspace, onSpawn),
  });
}

const watched = (workspace: Place, onSpawn: Launch['onSpawn']) => (child: ChildProcess) => {
  workspace.watch(child.pid);
  onSpawn?.(child);
};
