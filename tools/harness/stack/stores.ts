import { ensureRedis } from '../../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { launchPostgres, launchRedis, redisDirOf } from './launch-stores';
import type { Workspace } from './open-workspace';
import { createPart, type Part } from './part';

type Stores = {
  postgres: Part;
  redis: Part;
  /** URL of the maintenance database; known once Postgres has been started. */
  postgresUrl: () => string;
  redisUrl: string;
  redisDir: string;
};

type Options = {
  workspace: Workspace;
  password: string;
  crashOf: (name: string) => (how: string) => void;
};

/** Creates Postgres and Redis as parts. After a restart each has its files and its port again. */
export async function createStores({ workspace, password, crashOf }: Options): Promise<Stores> {
  const [postgresPort, redisPort] = [await anyFreePort(), await anyFreePort()];
  const binary = await ensureRedis();
  let url = '';
  const postgres = createPart({
    name: 'postgres',
    onCrash: crashOf('postgres'),
    hasFamily: true,
    stopSignal: 'SIGINT',
    async launch(onSpawn) {
      ({ url } = await launchPostgres({ workspace, port: postgresPort, password, onSpawn }));
    },
  });
  const redis = createPart({
    name: 'redis',
    onCrash: crashOf('redis'),
    async launch(onSpawn) {
      await launchRedis({ workspace, port: redisPort, binary, onSpawn });
    },
  });
  return {
    postgres,
    redis,
    postgresUrl: () => url,
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    redisDir: redisDirOf(workspace),
  };
}
