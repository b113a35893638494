import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import type { Environment } from './types';

/** Reads the environment of the measurement: the machine and the versions used. */
export async function readEnvironment(
  root: string,
  run: Pick<Environment, 'mode' | 'seconds' | 'rounds' | 'roundSeconds' | 'loadBefore'> & {
    nginx: string | null;
  },
): Promise<Environment> {
  const info = await stockRedis().info('server');
  const [postgres] = await db().$queryRaw<
    { version: string }[]
  >`SELECT current_setting('server_version') AS version`;
  const installed = (name: string): string =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release().split('-')[0]}`,
    versions: {
      Node: process.versions.node,
      Redis: /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown',
      Postgres: postgres?.version.split(' ')[0] ?? 'unknown',
      Next: installed('next'),
      ioredis: installed('ioredis'),
      ...(run.nginx ? { nginx: run.nginx } : {}),
    },
    loadBefore: run.loadBefore,
    mode: run.mode,
    seconds: Math.round(run.seconds),
    rounds: run.rounds,
    roundSeconds: run.roundSeconds,
  };
}
