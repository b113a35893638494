import 'server-only';
import type { DryRun, RuleDefinition } from '@/lib/contract/shapes/risk';
import { readPeaks } from './keep-peak';
import { knownRisk } from './watch-risk';

/** The most subjects shown, those with the highest counts. */
const MOST_SHOWN = 100;

/** Returns the subjects that a rule would have hit within the last 24 hours. */
export async function dryRun(definition: RuleDefinition): Promise<DryRun> {
  const { metric, windowSec, subject: kind, comparison, threshold } = definition;
  const isCounted = knownRisk().windows.get(`${metric} ${kind}`)?.includes(windowSec) ?? false;
  const highest = new Map<string, { value: string; count: number; hour: number }>();
  for (const { value, count, hour } of await readPeaks({ metric, windowSec, kind })) {
    if (comparison === 'above' ? count <= threshold : count < threshold) continue;
    if ((highest.get(value)?.count ?? 0) < count)
      highest.set(value, { value, count, hour: hour * 3_600_000 });
  }
  const top = [...highest.values()].sort((a, b) => b.count - a.count);
  return { isCounted, subjects: top.length, top: top.slice(0, MOST_SHOWN) };
}
