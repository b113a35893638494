import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startMark } from './processes.mjs';
import { readJson } from './write-atomically.mjs';

/** Room for a dozen processes, taken once: what is written later needs no new space on the disk. */
const ROOM_BYTES = 4_096;

const fileIn = (dir) => join(dir, 'children.json');

/**
 * Remembers what runs, so that the next start can end what outlived this one. It never throws: a child that can't be
 * recorded, on a full disk say, must not be lost by that, and `findMarked` finds it all the same.
 * @param {string} dir data directory
 */
export function openChildRecord(dir) {
  let handle;
  return {
    /** @param {{ name: string, pid: number }[]} children all that run now. */
    write(children) {
      const marked = children.map((child) => ({ ...child, mark: startMark(child.pid) }));
      try {
        handle ??= openSync(fileIn(dir), 'w');
        writeSync(handle, JSON.stringify(marked).padEnd(ROOM_BYTES), 0);
      } catch {
        // The next write tries again.
      }
    },
  };
}

/** @param {string} dir data directory @returns {{ name: string, pid: number, mark: string }[]} what ran last. */
export const readChildren = (dir) => readJson(fileIn(dir)) ?? [];
