import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { Part } from '@/tools/harness/stack/part';
import type { Stack } from '@/tools/harness/stack/start-stack';
import { CLUSTER_FAULTS } from './cluster-faults';
import { type Crowd, crowdPostgres } from './crowd-postgres';
import { EVERYTHING, type Fault } from './fault';

/** How much of the past a restored Redis has lost. */
const COPY_AGE_MS = 2_000;

const RETRY_MS = 100;

const part = (stack: Stack, name: string): Part => {
  const found = stack.parts.get(name);
  if (!found) throw new Error(`there is no part ${name}`);
  return found;
};

const killed = (target: string, lastsMs: Fault['lastsMs'] = [200, 2_000]): Fault => ({
  target,
  lastsMs,
  inject: (stack) => part(stack, target).kill(),
  undo: (stack) => part(stack, target).start(),
});
const frozen = (target: string): Fault => ({
  target,
  lastsMs: [1_000, 5_000],
  inject: (stack) => part(stack, target).freeze(),
  undo: (stack) => part(stack, target).thaw(),
});
const broken = (store: 'redis' | 'postgres', how: 'cut' | 'stall' | 'mute' | 'slow'): Fault => ({
  target: `${store}-link`,
  lastsMs: how === 'stall' || how === 'slow' ? [1_000, 5_000] : [200, 1_500],
  inject: ({ links }) => links[store]?.[how](),
  undo: ({ links }) => links[store]?.heal(),
  needs: store === 'redis' ? 'server' : undefined,
});

/** Restarts a process with a wall clock that is wrong. It takes seconds until the process answers. */
const misdated = (target: string, shiftMs: number): Fault => ({
  target,
  lastsMs: [5_000, 9_000],
  async inject(stack) {
    await part(stack, target).kill();
    await part(stack, target).start({
      NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, '../stack/shifted-clock.cjs'))}`,
      CHAOS_CLOCK_SHIFT_MS: String(shiftMs),
    });
  },
  async undo(stack) {
    await part(stack, target).kill();
    await part(stack, target).start();
  },
});

/** Adds entries to the outbox that belong to no accepted purchase, or that were there before. */
const entries = (add: (stockId: string) => Promise<unknown>): Fault => ({
  target: 'outbox',
  lastsMs: [0, 0],
  // If Redis is away just now, there is nothing to add to.
  inject: async (_stack, stockId) => void (await add(stockId).catch(() => undefined)),
  undo: () => {},
});

async function repeatEntries(stockId: string): Promise<void> {
  const latest = await stockRedis().xrevrange(keys.outbox(stockId), '+', '-', 'COUNT', 20);
  // The latest entry comes first, so the order is wrong, too.
  for (const [, fields] of latest) await stockRedis().xadd(keys.outbox(stockId), '*', ...fields);
}

/**
 * Sets Redis's memory limit; tries until it succeeds. Redis may just have been restarted, and our connection may not
 * be back yet.
 */
async function limitMemory(bytes: string): Promise<void> {
  while (
    (await stockRedis()
      .config('SET', 'maxmemory', bytes)
      .catch(() => null)) !== 'OK'
  )
    await sleep(RETRY_MS);
}

/**
 * Makes the outbox deliver its messages in another order, and half of them twice: every other one from the end, then
 * the rest, then the first ones again.
 */
async function shuffleEntries(stockId: string): Promise<void> {
  const key = keys.outbox(stockId);
  const entries = await stockRedis().xrange(key, '-', '+');
  if (entries.length === 0) return;
  const odd = entries.filter((_, at) => at % 2 === 1).reverse();
  const even = entries.filter((_, at) => at % 2 === 0);
  // In one transaction: if the process is killed in between, no entry may get lost.
  const all = stockRedis().multi();
  for (const [, fields] of [...odd, ...even, ...odd]) all.xadd(key, '*', ...fields);
  all.xdel(key, ...entries.map(([id]) => id));
  await all.exec();
}

let crowd: Crowd | undefined;

/** Every fault the runner knows, by name. */
const FAULTS = {
  'kill-web-1': killed('web-1'),
  'kill-web-2': killed('web-2'),
  'kill-worker': killed('worker'),
  'kill-executor': killed('executor'),
  'kill-redis': { ...killed('redis'), needs: 'server' },
  'kill-postgres': killed('postgres'),
  'freeze-web-1': frozen('web-1'),
  'freeze-web-2': frozen('web-2'),
  'freeze-worker': frozen('worker'),
  'freeze-executor': frozen('executor'),
  'freeze-redis': { ...frozen('redis'), needs: 'server' },
  'freeze-postgres': frozen('postgres'),
  'cut-redis': broken('redis', 'cut'),
  'stall-redis': broken('redis', 'stall'),
  'mute-redis': broken('redis', 'mute'),
  'slow-redis': broken('redis', 'slow'),
  'cut-postgres': broken('postgres', 'cut'),
  'mute-postgres': broken('postgres', 'mute'),
  'slow-postgres': broken('postgres', 'slow'),
  'fill-redis': {
    target: 'redis',
    lastsMs: [500, 3_000],
    // Less than Redis holds already, so from now on it refuses to write.
    inject: () => limitMemory('1'),
    undo: () => limitMemory('0'),
    needs: 'server',
  },
  'crowd-postgres': {
    target: 'postgres',
    lastsMs: [500, 4_000],
    async inject({ databaseUrl }) {
      crowd = await crowdPostgres(databaseUrl);
    },
    async undo() {
      await crowd?.leave();
    },
  },
  // The executor calls web-1. Neither accepts the other's signatures until the clock is right again.
  'early-web-1': misdated('web-1', -600_000),
  'late-web-1': misdated('web-1', 600_000),
  'early-web-2': misdated('web-2', -600_000),
  'late-web-2': misdated('web-2', 600_000),
  'early-worker': misdated('worker', -600_000),
  'late-worker': misdated('worker', 600_000),
  'shuffle-entries': {
    target: 'worker',
    lastsMs: [300, 1_500],
    // While the relay is frozen, entries wait in the outbox.
    inject: (stack) => part(stack, 'worker').freeze(),
    async undo(stack, stockId) {
      await shuffleEntries(stockId).catch(() => undefined);
      part(stack, 'worker').thaw();
    },
  },
  'repeat-entries': entries(repeatEntries),
  'poison-entry': entries((stockId) => stockRedis().xadd(keys.outbox(stockId), '*', 'orderNo', 'nonsense')),
  'kill-everything': {
    target: EVERYTHING,
    lastsMs: [0, 500],
    inject: ({ parts }) => Promise.all([...parts.values()].map((one) => one.kill())).then(() => {}),
    async undo({ parts, cluster }) {
      await Promise.all([...parts.values()].map((one) => one.start()));
      await cluster?.settled();
    },
  },
  ...CLUSTER_FAULTS,
  'restart-pooler': { ...killed('pooler', [0, 1_000]), needs: 'pooler' },
  'empty-redis': {
    target: 'redis',
    lastsMs: [200, 1_000],
    isOptIn: true,
    needs: 'server',
    async inject(stack) {
      await part(stack, 'redis').kill();
      rmSync(stack.redisDir, { recursive: true, force: true });
    },
    undo: (stack) => part(stack, 'redis').start(),
  },
  'old-redis': {
    target: 'redis',
    lastsMs: [200, 1_000],
    isOptIn: true,
    needs: 'server',
    async inject(stack) {
      const copy = `${stack.redisDir}-copy`;
      cpSync(stack.redisDir, copy, { recursive: true });
      await sleep(COPY_AGE_MS);
      await part(stack, 'redis').kill();
      rmSync(stack.redisDir, { recursive: true, force: true });
      renameSync(copy, stack.redisDir);
    },
    undo: (stack) => part(stack, 'redis').start(),
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** Returns a fault by its name, typed widely enough that its optional fields can be read. */
export const faultOf = (name: FaultName): Fault => FAULTS[name];

/** Tells whether a product that runs on these can have the fault. */
export function fits(
  name: FaultName,
  { isCluster, hasPooler }: { isCluster: boolean; hasPooler: boolean },
): boolean {
  const { needs } = faultOf(name);
  if (needs === 'pooler') return hasPooler;
  return needs === undefined || (needs === 'cluster') === isCluster;
}

/** Tells whether two faults must not overlap. */
export function areInTheWay(one: FaultName, other: FaultName): boolean {
  const [a, b] = [faultOf(one).target, faultOf(other).target];
  return a === b || a === EVERYTHING || b === EVERYTHING;
}
