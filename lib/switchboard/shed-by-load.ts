import 'server-only';
import { randomUUID } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import { SIDE_FEATURES } from '@/lib/contract/words/side-feature';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { createBusyMeter } from './busy-meter';
import { goesAt } from './goes-at';
import { tellLoad } from './heard-loads';
import { NO_STEPS, nextSteps, type Steps } from './next-steps';

const LOOK_EVERY_MS = 500;

/** Only our bundles hold this module, so a process has one. */
let timer: NodeJS.Timeout | undefined;

/**
 * Looks twice a second how busy this process is, tells all others, and has side features switched off while it is too
 * busy. For processes that sell. Cheap to call again.
 */
export function keepShedding(): void {
  if (timer) return;
  const me = randomUUID();
  const bars = goesAt(env().shedAbove);
  const measure = createBusyMeter();
  let steps: Steps = NO_STEPS;
  const look = () => {
    const busy = Math.round(Math.min(1, Math.max(0, measure())) * 1_000) / 1_000;
    const before = steps.taken.length;
    steps = nextSteps(steps, busy, nowMs(), bars);
    const level = steps.taken.length;
    if (level !== before)
      log.warn(
        { busy, level, feature: SIDE_FEATURES[Math.min(level, before)] },
        level > before ? 'too busy: a side feature goes' : 'less busy: a side feature comes back',
      );
    tellLoad({ process: me, busy, taken: [...steps.taken] });
  };
  timer = setInterval(look, LOOK_EVERY_MS).unref();
}

/** Stops what `keepShedding` began. */
export function stopShedding(): void {
  clearInterval(timer);
  timer = undefined;
}
