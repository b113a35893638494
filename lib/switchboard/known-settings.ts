import 'server-only';
import type { SideFeature } from '@/lib/contract/words/side-feature';
import { followList } from '@/lib/follow/follow-list';
import { channels } from '@/lib/redis/keys';
import { readMark, streamChanges, streamSettings } from './read-settings';
import type { SwitchSetting } from './types';

/** The settings of staff, in this process's memory; see `FollowedList`. */
export const settings = followList<Map<SideFeature, SwitchSetting>, SwitchSetting>({
  name: 'switchboard',
  channel: channels.switchboardChanged,
  createMemory: () => new Map(),
  readMark,
  streamLive: streamSettings,
  streamChanges,
  take(memory, changes) {
    for (const setting of changes) memory.set(setting.feature, setting);
  },
  sweep() {},
});
