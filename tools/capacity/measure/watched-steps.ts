import { setTimeout as delay } from 'node:timers/promises';
import { setSalePaused } from '@/lib/admin/sales/pause-sale';
import { startLoadProcess } from '@/tools/bench/load/load-process';
import type { WatchAnswer, WatchQuestion } from '@/tools/bench/load/types';
import { benchMerchant, dropBenchSale, openBenchSale } from '@/tools/bench/stack/sales';
import type { StepCost } from '../measurements';
import type { Size } from './calibrate';
import type { Stack } from './open-stack';
import { type ProcessorClock, usOf } from './processor-clock';

const IDLE_MS = 1_000;
const LOOK_EVERY_MS = 50;
const TOLD_WITHIN_MS = 20_000;
/** Opened before memory is read: what the first cost once is not counted. */
const FIRST = 100;
/** What is too small to be measured with few streams: docs/BENCHMARKS.md has 0.9 KiB of ten thousand. */
const LEAST_KIB = 1;

/** Measures what it costs a web process to tell one stream one piece of news, and to hold a stream. */
export async function measureWatched(
  { root, product, say }: Stack,
  clock: ProcessorClock,
  { streams, pauses }: Size,
): Promise<{ told: StepCost; streamKiB: number }> {
  say(`measuring ${streams} streams`);
  const { port, pid } = product.fastPath;
  const merchant = await benchMerchant();
  const sale = await openBenchSale(100);
  const crowd = startLoadProcess<WatchQuestion, WatchAnswer>(root, 'watch-main.ts', product.env);
  const { saleId } = sale;
  try {
    await crowd.ask({ ask: 'open', port, saleId, count: Math.min(FIRST, streams) });
    const memoryBefore = product.fastPath.rssMiB().web;
    await crowd.ask({ ask: 'open', port, saleId, count: Math.max(0, streams - FIRST) });
    const kib = ((product.fastPath.rssMiB().web - memoryBefore) * 1_024) / Math.max(1, streams - FIRST);
    const idleBefore = usOf(pid);
    await delay(IDLE_MS);
    const idlePerMs = (usOf(pid) - idleBefore) / IDLE_MS;
    const [before, from] = [clock(), performance.now()];
    for (let n = 0; n < pauses; n += 1) {
      const isPaused = n % 2 === 0;
      await setSalePaused(merchant, saleId, isPaused);
      await told(crowd, isPaused ? 'paused' : 'live', streams);
    }
    const spent = clock().web - before.web - idlePerMs * (performance.now() - from);
    const web = Math.max(0, spent) / (streams * pauses);
    // An event with the state, by the length of its answer.
    return {
      told: { cpuUs: { web, redis: 0, postgres: 0, worker: 0, executor: 0 }, bytes: 400 },
      streamKiB: Math.max(LEAST_KIB, kib),
    };
  } finally {
    await crowd.ask({ ask: 'close' }).catch(() => {});
    crowd.stop();
    await dropBenchSale(sale);
  }
}

async function told(
  crowd: { ask(question: WatchQuestion): Promise<WatchAnswer> },
  status: string,
  streams: number,
): Promise<void> {
  const deadline = performance.now() + TOLD_WITHIN_MS;
  for (;;) {
    const { learntAtMs } = await crowd.ask({ ask: 'learnt', status });
    if (learntAtMs.length >= streams) return;
    if (performance.now() > deadline)
      throw new Error(`${learntAtMs.length} of ${streams} streams know that it is ${status}`);
    await delay(LOOK_EVERY_MS);
  }
}
