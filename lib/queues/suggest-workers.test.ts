import { describe, expect, it } from 'vitest';
import type { Load } from '@/lib/contract/shapes/queue';
import { suggestWorkers } from './suggest-workers';

const load = (more: Partial<Load>): Load => ({
  backlog: 10_000,
  oldestAgeMs: 5_000,
  takenPerSec: 1_000,
  workers: 2,
  ...more,
});

describe('[E10] suggested workers', () => {
  it.each([
    ['nothing waits', { backlog: 0, oldestAgeMs: 0, takenPerSec: 0 }, 2, 'keeping_up'],
    ['what waits is young', { oldestAgeMs: 1_999 }, 2, 'keeping_up'],
    ['nobody is there', { workers: 0 }, 1, 'none'],
    ['nobody has looked before', { takenPerSec: null }, 2, 'measuring'],
    ['nothing is taken', { takenPerSec: 0 }, 2, 'stuck'],
    ['as much again would do', {}, 4, 'behind'],
    ['a little more would do', { backlog: 100 }, 3, 'behind'],
    ['it would take hundreds', { backlog: 10_000_000 }, 32, 'behind'],
  ] as const)('%s', (_, more, workers, why) => {
    expect(suggestWorkers(load(more))).toEqual({ workers, why });
  });
});
