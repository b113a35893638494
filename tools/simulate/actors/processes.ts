import type { Bundle } from '../bundle/load-bundle';
import { SimProcess } from '../sim-process';
import type { World } from '../world';

const WEBS = 2;
const WORKERS = 2;
const RECONCILE = { cause: 'schedule', isRepairing: true, graceMs: 5_000 } as const;
const SWEEP_MS = 60_000;
/** Ten times as long as in production: what a release has not given on itself is rare. */
const TEND_MS = 10_000;
/** Eight times as long as in production, and still often enough that time does not stand still for those who were let in. */
const LINE_MS = 2_000;
/** Six times as long as in production. */
const DRAW_MS = 3_000;

/** Starts the web processes, the workers and the clock of the executor. A process that dies is started again. */
export function startProcesses(world: World, bundle: Bundle): void {
  for (let nth = 1; nth <= WEBS; nth += 1) keepRunning(world, bundle, 'web', `web${nth}`);
  for (let nth = 1; nth <= WORKERS; nth += 1) keepRunning(world, bundle, 'worker', `worker${nth}`);
  const sweep = () => {
    world.executor.runNow('sweep');
    world.time.after(SWEEP_MS, sweep);
  };
  world.time.after(world.random.next() * SWEEP_MS, sweep);
}

function keepRunning(world: World, bundle: Bundle, kind: SimProcess['kind'], name: string): void {
  const process = new SimProcess(world, kind, name, bundle);
  world.processes[world.processes.findIndex((other) => other.name === name)] = process;
  if (!world.processes.includes(process)) world.processes.push(process);
  process.onDeath(() => {
    world.time.after(100 + world.random.next() * 3_000, () => keepRunning(world, bundle, kind, name));
  });
  if (kind === 'worker') work(process).catch(world.fail);
}

/** Does a worker's work: both relays and the recurring jobs. */
async function work(process: SimProcess): Promise<void> {
  const { world, api } = process;
  const { signal } = new AbortController();
  const log = { info() {}, warn() {}, error() {} };
  const consumer = world.nextId(process.name);
  const { sendEvent: send, whichWritten } = api;
  await Promise.all([
    api.relayOrders({ send, bury: api.buryEntry, consumer, log, whichWritten }, signal),
    api.runMessageRelay({ send, log }, signal),
    again(process, 8_000, api.guardStock),
    again(process, 8_000, api.askLatePayments),
    world.has('waiting-room') && again(process, LINE_MS, () => api.tendLines()),
    world.has('draw') && again(process, DRAW_MS, () => api.runDraws()),
    world.has('queue') && api.runQueues(signal),
    world.hasWaitlist && again(process, TEND_MS, api.tendWaitlists),
    ...world.saleIds.map(
      (saleId) =>
        world.profile.isReconciled && again(process, 25_000, () => api.reconcileSale(saleId, RECONCILE)),
    ),
  ]);
}

/** Repeats a job; if it fails, it is tried again next time. */
async function again(process: SimProcess, everyMs: number, job: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await process.sleep(everyMs * (0.5 + process.world.random.next()));
    await job().catch((error) => process.world.judge(error));
  }
}
