import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startPostgres } from '../../scripts/infra/postgres.mjs';
import { postgresUser } from '../../scripts/infra/postgres-user.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';

type Server = {
  url: string;
  stop(): Promise<unknown>;
  start(): Promise<void>;
};

export type ReplicatedPostgres = { primary: Server; replica: Server; stop(): Promise<void> };

/** Starts a Postgres and a streaming replica of it, both empty. Tests may stop and start each. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-replicated-'));
  chmodSync(dir, 0o711);
  const reaper = startReaper(dir);
  const password = randomBytes(12).toString('hex');
  const launch = (name: string, port: number) =>
    startPostgres({
      dir: join(dir, name),
      port,
      password,
      logFile: join(dir, `${name}.log`),
      settings: {
        fsync: 'off',
        full_page_writes: 'off',
        hot_standby_feedback: 'off',
        max_standby_streaming_delay: '100ms',
      },
      onSpawn: (child) => reaper.watch(child.pid),
    });
  const serverAt = async (name: string): Promise<Server> => {
    const port = await anyFreePort();
    let running = await launch(name, port);
    return {
      url: running.url,
      stop: () => running.stop(),
      async start() {
        running = await launch(name, port);
      },
    };
  };
  const primary = await serverAt('primary');
  // A copy of a server that has stopped is a base backup.
  await primary.stop();
  cpSync(join(dir, 'primary'), join(dir, 'replica'), { recursive: true, verbatimSymlinks: true });
  const { hostname, port } = new URL(primary.url);
  writeFileSync(join(dir, 'replica', 'standby.signal'), '');
  writeFileSync(
    join(dir, 'replica', 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=postgres password=${password}'\n`,
  );
  giveToPostgres(join(dir, 'replica'));
  await primary.start();
  const replica = await serverAt('replica');
  return {
    primary,
    replica,
    async stop() {
      await Promise.all([replica.stop(), primary.stop()]);
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}

function giveToPostgres(dir: string): void {
  const user = postgresUser();
  chmodSync(dir, 0o700);
  if (!user) return;
  chownSync(dir, user.uid, user.gid);
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(dir, file), user.uid, user.gid);
}
