import 'server-only';
import { hostname } from 'node:os';
import { countAlerts } from '@/lib/alert/count-alerts';
import { isOutage } from '@/lib/errors/is-outage';
import { formatMetrics } from '@/lib/metrics/format-metrics';
import { processSamples } from '@/lib/metrics/process-figures';
import type { ProcessFigures } from '@/lib/metrics/publish-figures';
import { readPublished } from '@/lib/metrics/read-published';
import type { Sample } from '@/lib/metrics/sample';
import { recentServers } from '@/lib/servers/watch-servers';
import { readFigures } from './read-figures';
import { serverSamples } from './server-samples';
import { sharedSamples, storeSamples } from './shared-samples';

/**
 * Renders the text of `/metrics`: the figures that are the same everywhere, and those of this machine's processes.
 * While Redis or Postgres is away it says so, and gives the figures it still has.
 */
export async function renderMetrics(): Promise<string> {
  const [figures, alerts, servers] = await Promise.all([
    unlessDown(readFigures),
    unlessDown(countAlerts),
    recentServers(),
  ]);
  const processes = figures?.processes ?? (await unlessDown(readPublished));
  const stores = figures?.stores ?? { redis: processes !== null, postgres: false };
  return formatMetrics([
    ...(figures ? sharedSamples(figures) : storeSamples(stores)),
    ...serverSamples(servers),
    ...(alerts ?? []).map(
      ({ rule, state, count }): Sample => ({ name: 'seckill_alerts', labels: { rule, state }, value: count }),
    ),
    ...(stores.redis ? (processes ?? []).filter(isHere).flatMap(labelled) : ownSamples()),
  ]);
}

const isHere = ({ host }: ProcessFigures) => host === hostname();

const labelled = ({ id, role, samples }: ProcessFigures): Sample[] =>
  samples.map((sample) => ({ ...sample, labels: { ...sample.labels, role, process: id } }));

/** The figures of other processes come through Redis, so without it there are only our own. */
const ownSamples = () =>
  labelled({ id: String(process.pid), role: 'worker', samples: processSamples() } as ProcessFigures);

async function unlessDown<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isOutage(error)) throw error;
    return null;
  }
}
