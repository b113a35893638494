import { afterEach, expect, it, vi } from 'vitest';
import { SIDE_FEATURES } from '@/lib/contract/words/side-feature';
import { busiest, noteLoad, offByLoadSince, stopListening } from './heard-loads';
import { isOn, stateOf } from './is-on';

afterEach(() => {
  stopListening();
  vi.useRealTimers();
});

it('[J6] the process that wants most decides, for as long as it says so', () => {
  vi.useFakeTimers();
  noteLoad({ process: 'a', busy: 0.4, taken: [] });
  expect([busiest(), isOn('search')]).toEqual([0.4, true]);
  noteLoad({ process: 'b', busy: 0.9, taken: [100, 200] });
  vi.advanceTimersByTime(2_000);
  noteLoad({ process: 'c', busy: 0.85, taken: [150] });
  expect([busiest(), offByLoadSince(0), offByLoadSince(1), offByLoadSince(2)]).toEqual([0.9, 100, 200, null]);
  expect([isOn('search'), isOn('why'), isOn('reminders')]).toEqual([false, false, true]);
  expect(stateOf('why')).toEqual({ feature: 'why', isOn: false, offBy: 'load', since: 200 });
  vi.advanceTimersByTime(1_500);
  // `b` has died or can't be heard.
  noteLoad({ process: 'c', busy: 0.85, taken: [150] });
  expect([isOn('search'), isOn('why'), offByLoadSince(0)]).toEqual([false, true, 150]);
});

it('[J6] what guards the sale stays on under load', () => {
  noteLoad({ process: 'a', busy: 1, taken: SIDE_FEATURES.map((_, at) => at + 1) });
  const on = SIDE_FEATURES.filter(isOn);
  expect(on).toEqual(['challenge_sound', 'risk', 'challenge_pow']);
});
