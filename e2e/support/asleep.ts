import type { BrowserContext, Page } from '@playwright/test';

/** Longer than any page takes its last answer for fresh. */
const LEAST_MS = 20_000;

/** Lets the pages of a browser fall asleep with their device. Call it before they open. */
export const canSleep = (context: BrowserContext): Promise<unknown> => context.addInitScript(standStill);

/**
 * Has a page's device sleep while something happens: the wall clock goes on, and neither the monotonic clock, nor timers, nor
 * events. Timers that had half a minute or more to go are as good as lost, because nobody waits for them once awake.
 */
export async function sleepWhile(page: Page, work: () => Promise<unknown>): Promise<void> {
  let wake = () => {};
  const awake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  await page.route('**/asleep', async (route) => {
    await awake;
    await route.fulfill({ body: '' });
  });
  const slept = page.evaluate(() => {
    // A synchronous request lets nothing else run.
    const request = new XMLHttpRequest();
    request.open('GET', '/asleep', false);
    const from = Date.now();
    request.send();
    (window as unknown as { wakeAfter: (ms: number) => void }).wakeAfter(Date.now() - from);
  });
  const least = new Promise((resolve) => setTimeout(resolve, LEAST_MS));
  try {
    await work();
    await least;
  } finally {
    wake();
  }
  await slept;
}

/** Runs in the page, before its own scripts: a monotonic clock and timers that can stand still. */
function standStill(): void {
  const LOST_MS = 30_000;
  const { setTimeout: set, clearTimeout: clear } = window;
  const now = performance.now.bind(performance);
  let sleptMs = 0;
  performance.now = () => now() - sleptMs;
  type Timer = { call: () => void; dueAt: number; everyMs: number | null; real: number };
  const timers = new Map<number, Timer>();
  let last = 1_000_000;
  const arm = (id: number, timer: Timer) => {
    timer.real = set(
      () => {
        if (timer.dueAt - performance.now() > 1) return arm(id, timer);
        if (timer.everyMs === null) timers.delete(id);
        else {
          timer.dueAt = performance.now() + timer.everyMs;
          arm(id, timer);
        }
        timer.call();
      },
      Math.max(0, timer.dueAt - performance.now()),
    );
  };
  const add = (call: unknown, ms: unknown, args: unknown[], isRepeated: boolean): number => {
    const waitMs = Math.max(isRepeated ? 4 : 0, Number(ms) || 0);
    last += 1;
    const timer = {
      call: () => (call as (...given: unknown[]) => void)(...args),
      dueAt: performance.now() + waitMs,
      everyMs: isRepeated ? waitMs : null,
      real: 0,
    };
    timers.set(last, timer);
    arm(last, timer);
    return last;
  };
  const remove = (id: number) => {
    clear(timers.get(id)?.real ?? id);
    timers.delete(id);
  };
  Object.assign(window, {
    setTimeout: (call: unknown, ms: unknown, ...args: unknown[]) => add(call, ms, args, false),
    setInterval: (call: unknown, ms: unknown, ...args: unknown[]) => add(call, ms, args, true),
    clearTimeout: remove,
    clearInterval: remove,
    wakeAfter: (ms: number) => {
      for (const [id, { dueAt }] of timers) if (dueAt - performance.now() >= LOST_MS) remove(id);
      sleptMs += ms;
    },
  });
}
