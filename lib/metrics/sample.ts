import type { MetricName } from './catalog';
import { bucketsOf, type Durations } from './histogram';

/** One line of `/metrics`. `suffix`: for the parts of a histogram. */
export type Sample = {
  name: MetricName;
  suffix?: '_bucket' | '_sum' | '_count';
  labels: Record<string, string>;
  value: number;
};

/** Builds a histogram's lines, cumulative and in seconds, as Prometheus wants them. */
export function histogramSamples(
  name: MetricName,
  labels: Record<string, string>,
  { buckets, sumMs }: { buckets: readonly { upToMs: number; count: number }[]; sumMs: number },
): Sample[] {
  let total = 0;
  const samples: Sample[] = buckets.map(({ upToMs, count }) => {
    total += count;
    const le = upToMs === Number.POSITIVE_INFINITY ? '+Inf' : String(upToMs / 1_000);
    return { name, suffix: '_bucket', labels: { ...labels, le }, value: total };
  });
  samples.push({ name, suffix: '_sum', labels, value: sumMs / 1_000 });
  samples.push({ name, suffix: '_count', labels, value: total });
  return samples;
}

export const durationSamples = (name: MetricName, labels: Record<string, string>, durations: Durations) =>
  histogramSamples(name, labels, { buckets: bucketsOf(durations), sumMs: durations.sumMs });
