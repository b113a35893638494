import 'server-only';
import { followList } from '@/lib/follow/follow-list';
import { log } from '@/lib/http/log';
import { channels } from '@/lib/redis/keys';
import { type BlockChange, type BlockMemory, createBlockMemory } from './block-memory';
import { readMark, streamChanges, streamLive } from './read-changes';

const blocks = followList<BlockMemory, BlockChange>({
  name: 'blocks',
  channel: channels.blocksChanged,
  createMemory: () => createBlockMemory(),
  readMark,
  streamLive,
  streamChanges,
  take(memory, changes) {
    const left = changes.filter((change) => !memory.apply(change)).length;
    if (left > 0)
      log.error({ left, size: memory.size }, 'the blocklist is full: new blocks are not in force');
  },
  sweep: (memory, nowMs) => memory.sweep(nowMs),
});

/** The blocklist in this process's memory; see `FollowedList`. */
export const {
  known: knownBlocks,
  watch: watchBlocks,
  stop: stopWatchingBlocks,
  announce: announceBlocks,
} = blocks;
