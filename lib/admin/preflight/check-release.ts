import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Check } from '@/lib/contract/shapes/preflight';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { readPublished } from '@/lib/metrics/read-published';
import { failed, passed } from './make-check';

/** Processes publish every 5 s; one that missed three times in a row has ended. */
const ALIVE_MS = 15_000;

/**
 * Checks that every running process can sell a split sale. One of the release before would sell and count in the first
 * slice alone, so it forbids to publish. So does an unreachable Redis: nobody knows which processes run.
 */
export async function checkRelease({ slices }: Pick<SaleInfo, 'slices'>): Promise<Check> {
  if (slices === 1) return passed('release', 'Every release that may run can sell this sale.');
  try {
    const since = nowMs() - ALIVE_MS;
    const old = (await readPublished()).filter(
      ({ at, capabilities }) => at > since && !capabilities?.includes('slices'),
    );
    if (old.length === 0) return passed('release', 'Every running process can sell a split sale.');
    const names = old.map(({ role, host, id }) => `${role} ${host}/${id}`).join(', ');
    const detail = `These processes are of a release that can't sell a split sale: ${names}.`;
    return failed('stop', 'release', 'old', detail, { processes: old.length });
  } catch {
    return failed('stop', 'release', 'unknown', 'Redis can’t say which processes run.');
  }
}
