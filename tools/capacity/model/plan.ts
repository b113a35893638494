import type { Crowd } from '../arguments';
import { KINDS, type Kind, type Measurements, type Step } from '../measurements';
import { bytesOf, entriesOf, type Phase, type PhaseName, phasesOf, secondsOf, webServiceMs } from './demand';
import { waits } from './queue';

/** Connections to Postgres that a process opens at most: lib/db/client.ts. Next's process has its own. */
const DATABASE_CONNECTIONS = 20;
/** Connections to Redis of a process: commands, blocking reads, messages. */
const REDIS_CONNECTIONS = 4;
const FILES_BESIDE = 100;
/** Processes that can have numbers for orders at the same time (docs/decisions/039-parts-of-worker-numbers.md). */
const MOST_PROCESSES = 1_900;
/** What we take for the largest Postgres server, and for the most connections it should have without a pooler. */
const MOST_POSTGRES_CORES = 64;
const MOST_CONNECTIONS = 500;

/** What is needed of one kind: `count` processes; of Postgres cores. `busy`: of each, in the phase that needs most. */
export type Need = { count: number; busy: number; phase: PhaseName };
/** Something that more machines do not help. */
export type Limit = { what: string; need: number; most: number; share: number; remedy: string };
export type Driver = { step: Step; kind: Kind; seconds: number; share: number };

export type Plan = {
  needs: Record<Kind, Need>;
  /** Processes of web that the streams ask for; of `needs.web` the larger number counts. */
  websForStreams: number;
  /** Of a press: in queues and processors, without the network. */
  answer: { meanMs: number; p99Ms: number };
  /** How long one Redis server takes to sell everything; presses wait for so long at most. */
  soldOutAfterMs: number;
  memory: { webGiB: number; writersGiB: number; redisMiB: number };
  connections: { postgres: number; redis: number; filesOfWeb: number };
  disk: { postgresGiB: number; walGiB: number; redisFileGiB: number };
  network: { phase: PhaseName; mbitPerSecond: number }[];
  limits: Limit[];
  drivers: Driver[];
};

/**
 * Calculates what a crowd needs by the utilisation law (busy = arrivals per second × service time; E. D. Lazowska et al.,
 * "Quantitative System Performance", 1984, ch. 3): so many processes that none is busier than the target in any phase. Every
 * process of ours is one thread, so it counts as one core; more cores per machine only change how many machines there are.
 * Pure.
 */
export function planFor(crowd: Crowd, measured: Measurements): Plan {
  const { users, windowMs, target, streams } = crowd;
  const accepted = Math.min(crowd.users, crowd.units);
  const phases = phasesOf(crowd);
  const needs = Object.fromEntries(
    KINDS.map((kind) => [kind, needOf(kind, phases, measured, target)]),
  ) as Plan['needs'];
  const perProcess = Math.min(measured.limits.streamsPerProcess, measured.limits.filesPerProcess);
  const websForStreams = Math.ceil((users * streams) / perProcess);
  // What the sale's own server does: the purchases. Other sales, and what may be lost, can lie elsewhere.
  const saleBusy = (accepted * measured.redisBusyUs) / 1_000 / windowMs;
  if (websForStreams > needs.web.count) {
    const { count, busy, phase } = needs.web;
    needs.web = { count: websForStreams, busy: (busy * count) / websForStreams, phase };
  }
  needs.redis.count = Math.max(needs.redis.count, 1);
  const connections = connectionsOf(needs, users, streams);
  const { memory, disk } = measured;
  return {
    needs,
    websForStreams,
    answer: answerOf(phases, needs, measured, saleBusy),
    soldOutAfterMs: (accepted * measured.redisBusyUs) / 1_000,
    memory: {
      webGiB:
        (needs.web.count * (memory.webMiB + memory.nextMiB) + (users * streams * memory.streamKiB) / 1_024) /
        1_024,
      writersGiB: (needs.worker.count * memory.workerMiB + needs.executor.count * memory.executorMiB) / 1_024,
      redisMiB: (accepted * memory.redisBytesPerBuyer) / 1_024 ** 2,
    },
    connections,
    disk: {
      postgresGiB: (users * disk.postgresBytesPerPerson + accepted * disk.postgresBytesPerOrder) / 1_024 ** 3,
      walGiB: (accepted * disk.walBytesPerOrder) / 1_024 ** 3,
      redisFileGiB: (accepted * disk.redisFileBytesPerPurchase) / 1_024 ** 3,
    },
    network: phases.map((phase) => ({
      phase: phase.name,
      mbitPerSecond: (bytesOf(phase, measured) * 8) / 1e6 / (phase.ms / 1_000),
    })),
    limits: limitsOf(needs, connections.postgres, saleBusy, target),
    drivers: driversOf(phases, measured),
  };
}

function needOf(kind: Kind, phases: readonly Phase[], measured: Measurements, target: number): Need {
  const loads = phases.map((phase) => ({
    phase: phase.name,
    cores: secondsOf(phase, measured)[kind] / (phase.ms / 1_000),
  }));
  const worst = loads.reduce((most, load) => (load.cores > most.cores ? load : most));
  const count = Math.max(1, Math.ceil(worst.cores / target));
  return { count, busy: worst.cores / count, phase: worst.phase };
}

function answerOf(phases: readonly Phase[], needs: Plan['needs'], measured: Measurements, saleBusy: number) {
  const press = phases.find(({ name }) => name === 'press') as Phase;
  const busy = secondsOf(press, measured).web / (press.ms / 1_000) / needs.web.count;
  const serviceMs = webServiceMs(press, measured);
  const web = waits(busy, serviceMs);
  const redisMs = measured.redisBusyUs / 1_000;
  const redis = waits(saleBusy, redisMs);
  const work = measured.steps.purchase.cpuUs.web / 1_000 + redisMs;
  // The sum of two 99th percentiles is above that of the sum: to the safe side.
  return { meanMs: work + web.meanMs + redis.meanMs, p99Ms: work + web.p99Ms + redis.p99Ms };
}

function connectionsOf({ web, worker, executor }: Plan['needs'], users: number, streams: number) {
  const processes = web.count + worker.count;
  return {
    postgres: (2 * web.count + worker.count + executor.count) * DATABASE_CONNECTIONS,
    redis: processes * REDIS_CONNECTIONS,
    // Each person has a stream, and a connection for what they ask.
    filesOfWeb: Math.ceil((users * (1 + streams)) / web.count) + DATABASE_CONNECTIONS + FILES_BESIDE,
  };
}

function limitsOf(needs: Plan['needs'], connections: number, saleBusy: number, target: number): Limit[] {
  const limit = (what: string, need: number, most: number, remedy: string): Limit => ({
    what,
    need,
    most,
    share: need / most,
    remedy,
  });
  const all = [
    limit(
      'one sale on one Redis server, share of its time',
      saleBusy,
      target,
      'a longer window, or fewer units in this sale: one sale is one script on one server',
    ),
    limit(
      'cores of one Postgres primary',
      needs.postgres.busy * needs.postgres.count,
      MOST_POSTGRES_CORES * target,
      'more time: --written, --pay and --arrive; lists and reports from replicas',
    ),
    limit(
      'connections to Postgres',
      connections,
      MOST_CONNECTIONS,
      'a pooler in transaction mode, with DATABASE_DIRECT_URL beside it',
    ),
    limit(
      'processes with numbers for orders',
      needs.web.count,
      MOST_PROCESSES,
      'a longer window, or an edge that answers those who come too late',
    ),
  ];
  return all.sort((a, b) => b.share - a.share);
}

function driversOf(phases: readonly Phase[], { steps }: Measurements): Driver[] {
  const all = phases.flatMap(({ counts }) =>
    entriesOf(counts).flatMap(([step, count]) =>
      KINDS.map((kind) => ({ step, kind, seconds: (count * steps[step].cpuUs[kind]) / 1e6 })),
    ),
  );
  const total = all.reduce((sum, { seconds }) => sum + seconds, 0);
  return all
    .filter(({ seconds }) => seconds > 0)
    .map((driver) => ({ ...driver, share: driver.seconds / total }))
    .sort((a, b) => b.seconds - a.seconds);
}
