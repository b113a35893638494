import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findRedis } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { startRedis } from '../../scripts/infra/redis.mjs';
import { spawnLogged } from '../../scripts/infra/spawn-logged.mjs';

const MASTER = 'stock';
const DOWN_AFTER_MS = 2_000;
const READY_WITHIN_MS = 60_000;

export type TestSentinels = {
  /** `redis+sentinel://…`, all Sentinels. */
  url: string;
  sentinelPorts: number[];
  /** A plain connection to the i-th server; the first is the primary at first, the second follows it. */
  admin(i: number): Redis;
  /** Returns the port of the server that the first Sentinel names as the primary. */
  namedPort(): Promise<number>;
  /** Kills the i-th server as a crash would. */
  kill(i: number): Promise<void>;
  freeze(i: number): void;
  thaw(i: number): void;
  stop(): Promise<void>;
};

/**
 * Starts a real primary with a replica on loopback, and three Sentinels that watch them.
 * @param tls settings with certificates: then servers and Sentinels are reached by TLS
 */
export async function startSentinels({
  password = '',
  tls,
}: {
  password?: string;
  tls?: Record<string, string>;
} = {}): Promise<TestSentinels> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-sentinel-'));
  const reaper = startReaper(dir);
  const binary = findRedis({});
  const secret = password ? { requirepass: password, masterauth: password } : {};
  const ports = [await anyFreePort(), await anyFreePort()] as const;
  const tlsPorts = [await anyFreePort(), await anyFreePort()] as const;
  const servers = await Promise.all(
    ports.map((port, i) =>
      startRedis({
        binary,
        dir: join(dir, String(i)),
        port,
        logFile: join(dir, `${i}.log`),
        settings: {
          appendonly: 'yes',
          appendfsync: 'always',
          save: '',
          'repl-diskless-sync-delay': 0,
          ...(tls && { ...tls, 'tls-port': tlsPorts[i] ?? 0, 'tls-replication': 'yes' }),
        },
        onSpawn: (child) => reaper.watch(child.pid),
      }),
    ),
  );
  const admins = ports.map((port) =>
    new Redis(port, { password: password || undefined }).on('error', () => {}),
  );
  const admin = (i: number): Redis => {
    const found = admins[i];
    if (!found) throw new Error(`no server ${i}`);
    return found;
  };
  // Set here, so that the start above finds a server without a password.
  for (let i = 0; i < ports.length; i += 1)
    for (const [name, value] of Object.entries(secret)) await admin(i).config('SET', name, value);
  const watched = (tls ? tlsPorts : ports)[0];
  await admin(1).replicaof('127.0.0.1', watched);

  const sentinelPorts = [await anyFreePort(), await anyFreePort(), await anyFreePort()];
  const sentinels = sentinelPorts.map((port, i) => {
    const file = join(dir, `sentinel-${i}.conf`);
    const lines = [
      ...(tls
        ? [
            'port 0',
            `tls-port ${port}`,
            'tls-replication yes',
            ...Object.entries(tls).map((pair) => pair.join(' ')),
          ]
        : [`port ${port}`]),
      'bind 127.0.0.1',
      `dir ${dir}`,
      `sentinel monitor ${MASTER} 127.0.0.1 ${watched} 2`,
      `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${MASTER} 6000`,
      ...(password ? [`sentinel auth-pass ${MASTER} ${password}`] : []),
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const child = spawnLogged(binary, [file, '--sentinel'], {
      cwd: dir,
      env: process.env,
      logFile: join(dir, `sentinel-${i}.log`),
    });
    reaper.watch(child.pid);
    return child;
  });
  const tlsOptions = tls ? { rejectUnauthorized: false } : undefined;
  for (const port of sentinelPorts) await untilWatching(port, tlsOptions);
  const named = new Redis(sentinelPorts[0] ?? 0, { tls: tlsOptions }).on('error', () => {});

  const kill = async (i: number) => {
    const child = servers[i]?.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const who = password ? `:${encodeURIComponent(password)}@` : '';
  return {
    url: `${tls ? 'rediss' : 'redis'}+sentinel://${who}${sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',')}/${MASTER}`,
    sentinelPorts,
    admin,
    async namedPort() {
      const [, port] = (await named.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER)) as [string, string];
      return Number(port);
    },
    kill,
    freeze: (i) => void servers[i]?.child.kill('SIGSTOP'),
    thaw: (i) => void servers[i]?.child.kill('SIGCONT'),
    async stop() {
      for (const one of [...admins, named]) one.disconnect();
      for (const child of sentinels) child.kill('SIGKILL');
      await Promise.all(servers.map((_, i) => kill(i)));
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}

/** Waits until the Sentinel knows the replica and the two other Sentinels. */
async function untilWatching(port: number, tls?: { rejectUnauthorized: boolean }): Promise<void> {
  const sentinel = new Redis(port, { tls, retryStrategy: () => 100, maxRetriesPerRequest: 50 });
  sentinel.on('error', () => {});
  const deadline = performance.now() + READY_WITHIN_MS;
  try {
    for (;;) {
      const told = (await sentinel.call('SENTINEL', 'MASTER', MASTER)) as string[];
      const read = (name: string) => told[told.indexOf(name) + 1];
      if (read('num-slaves') === '1' && read('num-other-sentinels') === '2') return;
      if (performance.now() > deadline)
        throw new Error('the Sentinels did not find each other within a minute');
      await delay(50);
    }
  } finally {
    sentinel.disconnect();
  }
}
