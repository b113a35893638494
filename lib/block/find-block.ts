import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Block, Subject } from './block-memory';
import { knownBlocks } from './watch-blocks';

/**
 * Finds a block of an account, device or address. Reads only this process's memory, for the hot path. Finds none in a
 * process that does not `watchBlocks`.
 */
export function findBlock(subject: Subject): Block | null {
  const memory = knownBlocks();
  return memory === undefined || memory.size === 0 ? null : memory.find(subject, nowMs());
}
