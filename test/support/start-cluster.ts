import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Redis } from 'ioredis';
import { findRedis } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { startRedis } from '../../scripts/infra/redis.mjs';
import { formCluster, slotBounds } from '../../tools/harness/stack/form-cluster';

/** Longer than a busy machine stands still: no replica takes over unless a test asks for it. */
const NODE_TIMEOUT_MS = 30_000;
/** The setting with which a replica takes over soon after its primary is gone. */
export const SOON_REPLACED = { 'cluster-node-timeout': 2_000 };

export type TestCluster = {
  /** `redis+cluster://…`, all nodes. */
  url: string;
  /** A plain connection to the i-th node; the primaries come first. */
  admin(i: number): Redis;
  /** Names the i-th node as the cluster does. */
  id(i: number): string;
  port(i: number): number;
  /** Which primary held the key at first; its replica is that many further on as there are primaries. */
  holderOf(key: string): number;
  /** Kills the i-th node as a crash would. */
  kill(i: number): Promise<void>;
  /** Starts the i-th node again with its files. */
  revive(i: number): Promise<void>;
  /** Freezes the i-th node: it accepts connections and never answers. */
  freeze(i: number): void;
  thaw(i: number): void;
  /** Moves the key's slot with all its keys to the primary `to`, as resharding does. */
  moveSlot(key: string, to: number): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a real Redis cluster on loopback, of that many primaries with one replica each, and waits until it is formed.
 * @param tls settings with certificates: then `url` reaches ports that speak TLS, and so do the servers among themselves
 */
export async function startCluster({
  primaries = 3,
  settings = {},
  tls,
}: {
  primaries?: number;
  settings?: Record<string, string | number>;
  tls?: Record<string, string>;
} = {}): Promise<TestCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-cluster-'));
  const reaper = startReaper(dir);
  const binary = findRedis({});
  const count = 2 * primaries;
  const ports: { own: number; bus: number; tls: number }[] = [];
  for (let i = 0; i < count; i += 1)
    ports.push({ own: await anyFreePort(), bus: await anyFreePort(), tls: tls ? await anyFreePort() : 0 });
  const launch = (i: number) =>
    startRedis({
      binary,
      dir: join(dir, String(i)),
      port: ports[i]?.own ?? 0,
      logFile: join(dir, `${i}.log`),
      settings: {
        'cluster-enabled': 'yes',
        'cluster-port': ports[i]?.bus ?? 0,
        'cluster-node-timeout': NODE_TIMEOUT_MS,
        // One shard without a primary must not close the others.
        'cluster-require-full-coverage': 'no',
        'repl-diskless-sync-delay': 0,
        appendonly: 'yes',
        appendfsync: 'always',
        save: '',
        ...(tls && {
          ...tls,
          'tls-port': ports[i]?.tls ?? 0,
          'tls-cluster': 'yes',
          'tls-replication': 'yes',
        }),
        ...settings,
      },
      onSpawn: (child) => reaper.watch(child.pid),
    });
  const nodes = await Promise.all(ports.map((_, i) => launch(i)));
  const admins = ports.map(({ own }) => {
    const admin = new Redis(own, { retryStrategy: () => 100, maxRetriesPerRequest: 20 });
    return admin.on('error', () => {});
  });
  const admin = (i: number): Redis => {
    const found = admins[i];
    if (!found) throw new Error(`no node ${i}`);
    return found;
  };
  const ids = await formCluster(
    admins,
    ports.map((one) => ({ own: tls ? one.tls : one.own, bus: one.bus })),
  );
  const id = (i: number) => ids[i] ?? '';
  const bounds = slotBounds(primaries);

  const kill = async (i: number) => {
    const child = nodes[i]?.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const slotOf = (key: string) => new Command('get', [key]).getSlot();
  const holderOf = (key: string) => bounds.findLastIndex((from) => from <= slotOf(key));
  return {
    url: `${tls ? 'rediss' : 'redis'}+cluster://${ports.map((one) => `127.0.0.1:${tls ? one.tls : one.own}`).join(',')}`,
    admin,
    id,
    port: (i) => ports[i]?.own ?? 0,
    holderOf,
    kill,
    async revive(i) {
      nodes[i] = await launch(i);
    },
    freeze: (i) => void nodes[i]?.child.kill('SIGSTOP'),
    thaw: (i) => void nodes[i]?.child.kill('SIGCONT'),
    async moveSlot(key, to) {
      const [slot, from] = [slotOf(key), holderOf(key)];
      await admin(to).cluster('SETSLOT', slot, 'IMPORTING', id(from));
      await admin(from).cluster('SETSLOT', slot, 'MIGRATING', id(to));
      for (;;) {
        const some = (await admin(from).cluster('GETKEYSINSLOT', slot, 10)) as string[];
        if (some.length === 0) break;
        await admin(from).call('MIGRATE', '127.0.0.1', ports[to]?.own ?? 0, '', 0, 5_000, 'KEYS', ...some);
      }
      for (const i of [to, from]) await admin(i).cluster('SETSLOT', slot, 'NODE', id(to));
      for (let i = 0; i < primaries; i += 1)
        if (i !== to && i !== from) await admin(i).cluster('SETSLOT', slot, 'NODE', id(to));
    },
    async stop() {
      for (const one of admins) one.disconnect();
      await Promise.all(nodes.map((_, i) => kill(i)));
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}
