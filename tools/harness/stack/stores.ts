import { join } from 'node:path';
import { findRedis } from '../../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { startPostgres } from '../../../scripts/infra/postgres.mjs';
import { startRedis } from '../../../scripts/infra/redis.mjs';
import { createPart, type Part } from './part';

type Stores = {
  postgres: Part;
  redis: Part;
  /** Of the maintenance database; known once Postgres has been started. */
  postgresUrl: () => string;
  redisUrl: string;
  redisDir: string;
};

type Options = {
  dir: string;
  password: string;
  logFile: (name: string) => string;
  watch: (pid: number | undefined) => void;
  crashOf: (name: string) => (how: string) => void;
};

/** Postgres and Redis as durable as the product's own, each coming back on its files and its port. */
export async function createStores({ dir, password, logFile, watch, crashOf }: Options): Promise<Stores> {
  const [postgresPort, redisPort] = [await anyFreePort(), await anyFreePort()];
  const redisDir = join(dir, 'redis');
  let url = '';
  const postgres = createPart({
    name: 'postgres',
    onCrash: crashOf('postgres'),
    hasFamily: true,
    stopSignal: 'SIGINT',
    async launch(onSpawn) {
      ({ url } = await startPostgres({
        dir: join(dir, 'postgres'),
        port: postgresPort,
        password,
        logFile: logFile('postgres'),
        onSpawn(child) {
          watch(child.pid);
          onSpawn(child);
        },
      }));
    },
  });
  const redis = createPart({
    name: 'redis',
    onCrash: crashOf('redis'),
    async launch(onSpawn) {
      await startRedis({
        binary: findRedis(),
        dir: redisDir,
        port: redisPort,
        logFile: logFile('redis'),
        settings: { appendonly: 'yes', appendfsync: 'always', save: '' },
        onSpawn(child) {
          watch(child.pid);
          onSpawn(child);
        },
      });
    },
  });
  return { postgres, redis, postgresUrl: () => url, redisUrl: `redis://127.0.0.1:${redisPort}`, redisDir };
}
