import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Block, Subject } from './block-memory';
import { knownBlocks } from './watch-blocks';

/**
 * Whether somebody is blocked, by account, device or address, from this process's memory alone: for the hot path. Nobody
 * is in a process that does not `watchBlocks`.
 */
export function findBlock(subject: Subject): Block | null {
  const memory = knownBlocks();
  return memory === undefined || memory.size === 0 ? null : memory.find(subject, nowMs());
}
