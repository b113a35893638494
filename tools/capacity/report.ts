import { msText, whole } from '@/tools/bench/report/format';
import type { Crowd } from './arguments';
import { KINDS, type Kind, type Measurements, STEPS } from './measurements';
import type { Plan } from './model/plan';

const NAMES: Record<Kind, string> = {
  web: 'web processes (one core each)',
  redis: 'Redis servers (one core each)',
  postgres: 'Postgres cores',
  worker: 'workers (one core each)',
  executor: 'executors (one core each)',
};
const PHASES = {
  arrive: 'while people come',
  press: 'in the window',
  write: 'while orders are written',
  pay: 'while orders are paid or expire',
};
const MOST_DRIVERS = 6;

/** Writes a plan for people. */
export function renderPlan(crowd: Crowd, measured: Measurements, plan: Plan): string[] {
  const { needs, memory, disk, connections, network, limits, drivers, answer } = plan;
  const accepted = Math.min(crowd.users, crowd.units);
  const busiest = network.reduce((most, one) => (one.mbitPerSecond > most.mbitPerSecond ? one : most));
  const [first] = limits;
  const over = limits.filter(({ share }) => share > 1);
  return [
    `${whole(crowd.users)} people, ${whole(crowd.units)} units; they come within ${timeText(crowd.arriveMs)} and press within ${timeText(crowd.windowMs)}.`,
    `${whole(accepted)} orders, written within ${timeText(crowd.writtenMs)}, paid (${percent(crowd.paid)}) or expired within ${timeText(crowd.payMs)}; nothing busier than ${percent(crowd.target)}.`,
    '',
    'Needed',
    ...KINDS.map((kind) => {
      const { count, busy, phase } = needs[kind];
      return `  ${whole(count).padStart(8)}  ${NAMES[kind]}; ${percent(busy)} busy ${PHASES[phase]}`;
    }),
    ...(plan.websForStreams >= needs.web.count
      ? ['            (so many web processes because of the streams they hold)']
      : []),
    `  ${gib(memory.webGiB)}  memory for web processes with Next and streams, ${memory.writersGiB.toFixed(1)} GiB for workers and executors, ${whole(Math.ceil(memory.redisMiB))} MiB for buyers in Redis`,
    `  ${gib(disk.postgresGiB)}  Postgres on disk (people, sessions, orders), ${disk.walGiB.toFixed(2)} GiB of its log, ${disk.redisFileGiB.toFixed(2)} GiB of Redis's file`,
    `  ${whole(connections.postgres).padStart(8)}  connections to Postgres at most, ${whole(connections.redis)} to Redis; ${whole(connections.filesOfWeb)} files open in a web process without an edge before it`,
    `  ${whole(busiest.mbitPerSecond).padStart(8)}  Mbit/s to clients, ${PHASES[busiest.phase]}`,
    '',
    Number.isFinite(answer.p99Ms)
      ? `A press is answered after ${msText(answer.meanMs)} on average, 99 of 100 within ${msText(answer.p99Ms)}, plus the network (Sakasegawa, one queue per process).`
      : 'Presses wait longer and longer for as long as the window lasts: one Redis server can’t sell so much in it.',
    `One Redis server takes ${msText(plan.soldOutAfterMs)} to sell everything: whoever presses before that may wait for so long.`,
    '',
    'What more machines do not help',
    ...limits.map(
      ({ what, need, most, share }) =>
        `  ${percent(share).padStart(8)}  ${what}: ${amount(need)} of ${amount(most)}`,
    ),
    over.length === 0
      ? `First comes: ${first?.what}; it is enough for ${amount(1 / Math.max(first?.share ?? 1, 1e-9))} times as much.`
      : `Not possible as it is: ${over.map(({ what, remedy }) => `${what} (${remedy})`).join('; ')}.`,
    '',
    'What costs most (processor seconds of the whole sale)',
    ...drivers
      .slice(0, MOST_DRIVERS)
      .map(
        ({ step, kind, seconds, share }) =>
          `  ${percent(share).padStart(8)}  ${step}, ${kind}: ${whole(Math.ceil(seconds))} s`,
      ),
    '',
    ...renderMachine(measured),
  ];
}

/** Writes what was measured. */
export function renderMeasured({ steps, redisBusyUs, memory, disk }: Measurements): string[] {
  const row = (name: string, values: readonly string[]) =>
    `  ${name.padEnd(18)}${values.map((value) => value.padStart(10)).join('')}`;
  return [
    'Measured: processor time of one, µs, and bytes to the client',
    row('', [...KINDS, 'bytes']),
    ...STEPS.map((step) =>
      row(step, [...KINDS.map((kind) => steps[step].cpuUs[kind].toFixed(1)), whole(steps[step].bytes)]),
    ),
    `  Redis is busy for ${redisBusyUs.toFixed(1)} µs with a purchase; ${whole(memory.redisBytesPerBuyer)} bytes of memory and ${whole(disk.redisFileBytesPerPurchase)} of its file each.`,
    `  An order is ${whole(disk.postgresBytesPerOrder)} bytes of Postgres and ${whole(disk.walBytesPerOrder)} of its log; a person with a session ${whole(disk.postgresBytesPerPerson)}.`,
    `  Memory: web ${whole(memory.webMiB)} MiB, Next behind it ${whole(memory.nextMiB)}, worker ${whole(memory.workerMiB)}, executor ${whole(memory.executorMiB)}; a stream ${memory.streamKiB.toFixed(1)} KiB.`,
    '',
  ];
}

function renderMachine({ machine }: Measurements): string[] {
  const { date, cpu, cores, node, redis, postgres, loadBefore } = machine;
  const busy =
    loadBefore > 0.5
      ? ` Load average before: ${loadBefore}; others were at work, so times are longer than they need be.`
      : '';
  return [
    `Measured ${date} on ${cpu}, ${cores} cores, Node ${node}, Redis ${redis}, Postgres ${postgres}.${busy}`,
  ];
}

const percent = (share: number) =>
  share < 0.1 && share > 0 ? `${(share * 100).toFixed(1)} %` : `${whole(share * 100)} %`;
const amount = (value: number) => (value < 10 ? value.toFixed(2) : whole(value));
const gib = (value: number) => `${value < 100 ? value.toFixed(1) : whole(value)} GiB`.padStart(8);
const timeText = (ms: number) =>
  ms < 1_000
    ? `${ms} ms`
    : ms < 120_000
      ? `${ms / 1_000} s`
      : ms < 7_200_000
        ? `${ms / 60_000} min`
        : `${ms / 3_600_000} h`;
