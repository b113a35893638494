import { expect, it } from 'vitest';
import { changedFields } from './changed-fields';

it('[L4] names only what is different, whatever the order of keys', () => {
  const before = { title: 'a', limits: { user: { limit: 1, windowSec: 2 } }, paused: false };
  const after = { title: 'a', limits: { user: { windowSec: 2, limit: 1 } }, paused: true, note: 'new' };
  expect(changedFields(before, after)).toEqual({
    before: { paused: false, note: null },
    after: { paused: true, note: 'new' },
  });
  expect(changedFields(before, { ...before })).toBeNull();
});
