import type { BenchContext } from '../bench-context';
import { startGenerator } from './generator';
import type { Journey, JourneyResult } from './journey';

/** Two connections each, and processes may open no more than some thousands of files. */
const PEOPLE_OF_A_PROCESS = 10_000;

/** Sends a crowd on its journey, from as many processes of the load as it needs. The generator is one of them. */
export async function travelTogether(
  { generator, root, product }: BenchContext,
  journey: Omit<Journey, 'before'>,
): Promise<JourneyResult> {
  const { cookies } = journey;
  const count = Math.ceil(cookies.length / PEOPLE_OF_A_PROCESS);
  const others = Array.from({ length: count - 1 }, () => startGenerator(root, product.env));
  const size = Math.ceil(cookies.length / count);
  try {
    const results = await Promise.all(
      [generator, ...others].map(({ travel }, nth) =>
        travel({ ...journey, cookies: cookies.slice(nth * size, (nth + 1) * size), before: nth * size }),
      ),
    );
    return results.reduce(both);
  } finally {
    await Promise.all(others.map(({ stop }) => stop()));
  }
}

const both = (a: JourneyResult, b: JourneyResult): JourneyResult => ({
  readyBefore: a.readyBefore + b.readyBefore,
  followed: a.followed + b.followed,
  pressed: sums(a.pressed, b.pressed),
  errors: sums(a.errors, b.errors),
  arriveMs: [...a.arriveMs, ...b.arriveMs],
  seenMs: [...a.seenMs, ...b.seenMs],
  pressMs: [...a.pressMs, ...b.pressMs],
  busy: Math.max(a.busy, b.busy),
});

function sums<K extends string | number>(a: Record<K, number>, b: Record<K, number>): Record<K, number> {
  const sum = { ...a };
  for (const [key, count] of Object.entries(b) as [K, number][]) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}
