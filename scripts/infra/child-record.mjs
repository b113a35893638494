import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startMark } from './processes.mjs';
import { readJson } from './write-atomically.mjs';

/** Room for a dozen processes, reserved once: later writes need no new space on the disk. */
const ROOM_BYTES = 4_096;

const fileIn = (dir) => join(dir, 'children.json');

/**
 * Records the running processes, so that the next start can end those that outlived this one. Never throws: a child
 * that can't be recorded, on a full disk for example, must not be lost; `findMarked` finds it all the same.
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

/**
 * @param {string} dir data directory @returns {{ name: string, pid: number, mark: string }[]} the processes that ran
 *   last.
 */
export const readChildren = (dir) => readJson(fileIn(dir)) ?? [];
