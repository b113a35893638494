import { setTimeout as delay } from 'node:timers/promises';

type Patience = { withinMs?: number; everyMs?: number };

/** Looks again and again until something is so. @throws Error that names it, if it takes longer than `withinMs` */
export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  { withinMs = 60_000, everyMs = 50 }: Patience = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs / 1_000} s: ${what}`);
    await delay(everyMs);
  }
}
