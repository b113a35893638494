import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { launchPooler, pooledUrl } from './launch-pooler';
import type { Workspace } from './open-workspace';
import { createPart, type Part } from './part';

/** How many connections the pooler has for all processes. */
const CONNECTIONS = 20;

type Options = {
  workspace: Workspace;
  databaseUrl: string;
  crashOf: (name: string) => (how: string) => void;
};

/** Creates PgBouncer as a part. @returns also the address of the database through it */
export async function createPooler({
  workspace,
  databaseUrl,
  crashOf,
}: Options): Promise<{ part: Part; url: string }> {
  const [name, dir, port] = ['pooler', join(workspace.dir, 'pooler'), await anyFreePort()];
  mkdirSync(dir);
  const part = createPart({
    name,
    onCrash: crashOf(name),
    async launch(onSpawn) {
      const watched: typeof onSpawn = (child) => {
        workspace.watch(child.pid);
        onSpawn(child);
      };
      const logFile = join(dir, 'log');
      await launchPooler({ dir, port, databaseUrl, connections: CONNECTIONS, logFile, onSpawn: watched });
    },
  });
  return { part, url: pooledUrl(databaseUrl, port) };
}
