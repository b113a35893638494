import { expect, it } from 'vitest';
import { createMoments } from './moments';

const busyFor = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

it('lets each act at the moment of its own, also where the event loop comes to no timer', async () => {
  const from = Date.now() + 20;
  const moments = createMoments(from, 100);
  const late: number[] = [];
  const acted = [0, 30, 60, 100].map((at) => moments.at(at).then(() => late.push(Date.now() - from - at)));
  for (let n = 0; n < 30; n += 1) {
    busyFor(5);
    moments.look();
    // As a callback of a socket ends.
    await Promise.resolve();
  }
  await Promise.all(acted);
  moments.stop();
  expect(late).toHaveLength(4);
  for (const ms of late) expect(ms).toBeGreaterThanOrEqual(0);
  // Whatever is over does not wait.
  await moments.at(30);
});
