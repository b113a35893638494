import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@/tools/harness/stack/start-stack';
import type { PlannedFault } from './draw-faults';
import { areInTheWay, type FaultName, faultOf } from './kinds';

/** A fault as it was injected, in ms from the beginning of the load. */
export type InjectedFault = {
  name: FaultName;
  atMs: number;
  undoneAtMs: number;
  /** When every web process reported again that everything it needs is there; null if they never did. */
  wellAtMs: number | null;
};

const WELL_TIMEOUT_MS = 60_000;
const PROBE_MS = 50;
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Injects the faults at their times and undoes them. A fault waits for an earlier one with the same target that takes
 * longer than planned (a server that recovers slowly). Resolves when all are undone and the product is well again.
 */
export async function injectFaults(
  stack: Stack,
  stockId: string,
  plan: readonly PlannedFault[],
  elapsedMs: () => number,
): Promise<InjectedFault[]> {
  const undone: { name: FaultName; done: Promise<unknown> }[] = [];
  const injected = plan.map(({ name, atMs, lastsMs }) => {
    const earlier = undone.filter((other) => areInTheWay(name, other.name)).map(({ done }) => done);
    const fault = faultOf(name);
    const work = async () => {
      await sleep(Math.max(0, atMs - elapsedMs()));
      await Promise.all(earlier);
      const injectedAtMs = elapsedMs();
      await fault.inject(stack, stockId);
      await sleep(lastsMs);
      await fault.undo(stack, stockId);
      return { name, atMs: injectedAtMs, undoneAtMs: elapsedMs() };
    };
    const done = work();
    undone.push({ name, done });
    return done.then(async (times) => ({ ...times, wellAtMs: await untilWell(stack, elapsedMs) }));
  });
  return Promise.all(injected);
}

async function untilWell({ webs }: Stack, elapsedMs: () => number): Promise<number | null> {
  const deadline = elapsedMs() + WELL_TIMEOUT_MS;
  while (elapsedMs() < deadline) {
    const answers = await Promise.all(webs.map(({ origin }) => isReady(origin)));
    if (answers.every(Boolean)) return elapsedMs();
    await sleep(PROBE_MS);
  }
  return null;
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
