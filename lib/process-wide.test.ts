import { expect, it, vi } from 'vitest';
import { processWide } from './process-wide';

it('is made once, also for another copy of the module', async () => {
  const create = vi.fn(() => ({ count: 0 }));
  const first = processWide('test-state', create);
  first.count = 7;
  vi.resetModules();
  const copy = await import('./process-wide');
  expect(copy.processWide).not.toBe(processWide);
  expect(copy.processWide('test-state', create)).toBe(first);
  expect(create).toHaveBeenCalledTimes(1);
});

it('keeps states apart by name, also one that is undefined', () => {
  const create = vi.fn(() => undefined);
  processWide('test-nothing', create);
  processWide('test-nothing', create);
  expect(create).toHaveBeenCalledTimes(1);
  expect(processWide('test-other', () => 1)).toBe(1);
});
