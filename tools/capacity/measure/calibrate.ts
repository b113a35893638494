import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { isPassword } from '@/lib/account/hash-password';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { streamCapacity } from '@/lib/server/events-capacity';
import { fileLimit } from '@/lib/server/file-limit';
import { signedInPeople } from '@/tools/bench/stack/people';
import { KINDS, type Measurements, type Step, type StepCost } from '../measurements';
import { measureAsked } from './asked-steps';
import type { Stack } from './open-stack';
import { createProcessorClock } from './processor-clock';
import { databaseBytes } from './store-sizes';
import { measureWatched } from './watched-steps';
import { measureWritten } from './written-steps';

/**
 * How much is measured. `requests`: of each kind, after `warmUp` of them, or as many as are answered in `atMostSec`; `pauses`: news
 * that the streams are told.
 */
export type Size = {
  warmUp: number;
  requests: number;
  atMostSec: number;
  people: number;
  orders: number;
  paidShare: number;
  streams: number;
  pauses: number;
  passwords: number;
};

/** About a minute on two cores. */
export const FULL: Size = {
  warmUp: 4_000,
  requests: 12_000,
  atMostSec: 8,
  people: 2_000,
  orders: 8_000,
  paidShare: 0.05,
  streams: 2_000,
  pauses: 6,
  passwords: 20,
};
/** Files that any machine has: more than this is no limit to plan with. */
const MOST_FILES = 1_000_000;

/** Measures what each step takes on this machine. @param loadBefore of the machine, before anything was started */
export async function calibrate(
  stack: Stack,
  size: Size,
  loadBefore = loadavg()[0] ?? 0,
): Promise<Measurements> {
  const { product } = stack;
  const before = await databaseBytes();
  await signedInPeople(size.people);
  const postgresBytesPerPerson = ((await databaseBytes()) - before) / size.people;
  const clock = await createProcessorClock({ web: product.fastPath.pid });
  const signIn = await measurePasswords(size.passwords);
  const asked = await measureAsked(stack, clock, size);
  const watched = await measureWatched(stack, clock, size);
  return measureWritten(stack, size, async (written) => {
    const { web, next } = product.fastPath.rssMiB();
    const steps = { 'sign-in': signIn, told: watched.told, ...asked.costs, ...written.costs };
    return {
      version: 1,
      machine: await describeMachine(loadBefore),
      steps: steps as Record<Step, StepCost>,
      redisBusyUs: written.redisBusyUs,
      generatorUs: asked.generatorUs,
      memory: {
        webMiB: web,
        nextMiB: next,
        workerMiB: residentMiB(written.pids.worker),
        executorMiB: residentMiB(written.pids.executor),
        streamKiB: watched.streamKiB,
        redisBytesPerBuyer: written.redisBytesPerBuyer,
      },
      disk: {
        postgresBytesPerPerson,
        postgresBytesPerOrder: written.postgresBytesPerOrder,
        walBytesPerOrder: written.walBytesPerOrder,
        redisFileBytesPerPurchase: written.redisFileBytesPerPurchase,
      },
      limits: { streamsPerProcess: streamCapacity(), filesPerProcess: Math.min(MOST_FILES, fileLimit()) },
    };
  });
}

/** The password is nearly all that a sign-in costs; the session behind it is measured as a visit's. */
async function measurePasswords(count: number): Promise<StepCost> {
  await isPassword(undefined, 'warm-up');
  const before = process.cpuUsage();
  for (let n = 0; n < count; n += 1) await isPassword(undefined, `password-${n}`);
  const { user, system } = process.cpuUsage(before);
  const cpuUs = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as StepCost['cpuUs'];
  return { cpuUs: { ...cpuUs, web: (user + system) / count }, bytes: 1_000 };
}

async function describeMachine(loadBefore: number): Promise<Measurements['machine']> {
  const info = await stockRedis().info('server');
  const [postgres] = await db().$queryRaw<{ version: string }[]>`
    SELECT current_setting('server_version') AS version`;
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: cpus().length,
    node: process.versions.node,
    redis: /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown',
    postgres: postgres?.version.split(' ')[0] ?? 'unknown',
    loadBefore: Math.round(loadBefore * 10) / 10,
  };
}

function residentMiB(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;
}
