import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isSameProcess, startMark } from './processes.mjs';
import { readJson } from './write-atomically.mjs';

/** Tries before giving up. Each failure means that another process took over from the same dead holder first. */
const MOST_ATTEMPTS = 5;

/**
 * Takes a lock: a file that names this process. Takes over a lock whose process is gone.
 * @param {string} file
 * @returns {{ release: () => void, holder?: undefined } | { release?: undefined, holder: { pid: number, mark: string
 *   } }}
 * @throws the file system's error when the file can't be written.
 */
export function takeLock(file) {
  const mine = `${file}.${process.pid}`;
  try {
    writeFileSync(mine, JSON.stringify({ pid: process.pid, mark: startMark(process.pid) }));
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      if (appears(mine, file)) return { release: () => rmSync(file, { force: true }) };
      const holder = readJson(file);
      if (holder && isSameProcess(holder)) return { holder };
      putAside(file);
    }
    return { holder: { pid: 0, mark: '' } };
  } finally {
    rmSync(mine, { force: true });
  }
}

/** A link appears either whole or not at all. */
function appears(mine, file) {
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    return appearsWithoutLinks(mine, file, error);
  }
}

/** Some file systems have no links. */
function appearsWithoutLinks(mine, file, error) {
  if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(error.code)) throw error;
  try {
    writeFileSync(file, JSON.stringify(readJson(mine)), { flag: 'wx' });
    return true;
  } catch (second) {
    if (second.code === 'EEXIST') return false;
    throw second;
  }
}

/** Removes a dead holder's lock; if a faster process holds it by now, gives it back. */
function putAside(file) {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    const holder = readJson(aside);
    if (holder && isSameProcess(holder)) linkSync(aside, file);
  } catch {
    // Another process has removed the lock, or taken it.
  }
  rmSync(aside, { force: true });
}
