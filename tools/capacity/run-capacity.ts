import { closeSync, openSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { log } from '@/lib/http/log';
import { UsageError } from '@/scripts/usage-error';
import type { CapacityArguments } from './arguments';
import { type Checked, checkPredictions, renderChecked } from './check';
import { calibrate, FULL, type Size } from './measure/calibrate';
import { withStack } from './measure/open-stack';
import { type Measurements, readMeasurements } from './measurements';
import { planFor } from './model/plan';
import { renderMeasured, renderPlan } from './report';

const CHECK_SECONDS = 2;

/**
 * Measures this machine, or reads what was measured, and calculates what the crowd needs.
 * @param size how much to measure; less makes rougher figures
 * @returns the lines to print
 * @throws UsageError when a file can't be read or written. Stops its servers when anything fails.
 */
export async function runCapacity(
  root: string,
  { crowd, measured: file, save, check, json }: CapacityArguments,
  {
    size = FULL,
    checkSeconds = CHECK_SECONDS,
    say = progress(),
  }: { size?: Size; checkSeconds?: number; say?: (line: string) => void } = {},
): Promise<string[]> {
  // Before a minute is spent on it.
  if (save !== null) orRefuse(save, () => closeSync(openSync(save, 'a')));
  const known = file === null ? null : readMeasurements(file);
  const { measured, checked } =
    known && !check
      ? { measured: known, checked: [] }
      : await onServers(root, say, { known, check, size, checkSeconds });
  if (save !== null) orRefuse(save, () => writeFileSync(save, `${JSON.stringify(measured, null, 2)}\n`));
  const plan = planFor(crowd, measured);
  if (json) return [JSON.stringify({ crowd, measured, plan, ...(check ? { checked } : {}) }, null, 2)];
  return [
    ...renderMeasured(measured),
    ...(check ? renderChecked(checked) : []),
    ...renderPlan(crowd, measured, plan),
  ];
}

type Work = { known: Measurements | null; check: boolean; size: Size; checkSeconds: number };

/** Measures, unless it is known already, and checks if asked to. */
async function onServers(
  root: string,
  say: (line: string) => void,
  { known, check, size, checkSeconds }: Work,
) {
  // Modules of lib log to the output that the result goes to.
  log.level = 'silent';
  const loadBefore = loadavg()[0] ?? 0;
  return withStack(root, say, async (stack) => {
    const measured = known ?? (await calibrate(stack, size, loadBefore));
    const checked: Checked[] = check ? await checkPredictions(stack, measured, checkSeconds) : [];
    return { measured, checked };
  });
}

function orRefuse(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UsageError(`${path} cannot be written${code}`);
  }
}

/** Tells on the error output how far it is: the result alone goes to the other. */
function progress(): (line: string) => void {
  const from = performance.now();
  return (line) =>
    console.error(`[${((performance.now() - from) / 1_000).toFixed(0).padStart(3)} s] ${line}`);
}
