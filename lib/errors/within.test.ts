import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { OutageError } from './outage-error';
import { CUT, within } from './within';

afterEach(() => {
  CUT.parts = 1;
});

const never = new Promise<string>(() => {});

it.each([1, 10])('[J4] is an outage after its time, which runs in %d parts', async (parts) => {
  CUT.parts = parts;
  const from = performance.now();
  await expect(within(200, 'the test', never)).rejects.toThrow(OutageError);
  expect(performance.now() - from).toBeGreaterThan(190);
});

it('[J4] takes an answer that comes right after a standstill, where the time runs in parts', async () => {
  CUT.parts = 10;
  const answer = within(200, 'the test', delay(50, 'there'));
  const until = performance.now() + 400;
  while (performance.now() < until);
  expect(await answer).toBe('there');
});
