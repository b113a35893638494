import { afterAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { isOn, stopWatchingSwitchboard, watchSwitchboard } from './is-on';

afterAll(async () => {
  stopWatchingSwitchboard();
  await Promise.all([closeRedis(), closeDb()]);
});

it('[J7 O7] a process that has not read the switchboard yet sends nothing to people; all else is on', async () => {
  const FEATURES = ['notices', 'reminders', 'why', 'live'] as const;
  const areOn = () => FEATURES.map(isOn);
  expect(areOn()).toEqual([true, true, true, true]);
  const watching = watchSwitchboard();
  // It has only begun to ask.
  expect(areOn()).toEqual([false, false, true, true]);
  await watching;
  expect(areOn()).toEqual([true, true, true, true]);
});
