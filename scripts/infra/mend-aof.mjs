import { spawnSync } from 'node:child_process';
import { constants, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Problem } from './problem.mjs';
import { describeCut, readCut } from './read-cut.mjs';

const FILES = 'appendonlydir';
const MANIFEST = 'appendonly.aof.manifest';

/**
 * Makes a Redis's damaged append-only files readable again: keeps a copy, then cuts off the damage and all after it. If
 * that is not enough, Redis starts empty. The product rebuilds from Postgres, and takes purchases that only Redis has
 * from there. `cut-off.json` beside the copy lists the purchases cut off, as far as it can be read.
 * @param {string} binary path of redis-server; the tool that checks the files stands beside it
 * @param {string} dir folder of the Redis, whole path
 * @returns {{ copy: string, isEmpty: boolean, cut: string } | null} where the damaged files are now, and what was cut off;
 *   null if they are not damaged
 * @throws {Problem} when there is no such tool, or no room for a copy
 */
export function mendAof(binary, dir) {
  const files = join(dir, FILES);
  if (!existsSync(join(files, MANIFEST)) || isSound(binary, files)) return null;
  const copy = join(dir, `damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  try {
    cpSync(files, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw new Problem(
      `Redis's files in ${files} are damaged and can't be copied (${error.code}): ${asideBy(files)}`,
    );
  }
  const isMended = namesFiles(files) && cutOff(binary, files);
  if (!isMended) rmSync(files, { recursive: true });
  const cut = readCut(copy, files);
  writeFileSync(join(copy, 'cut-off.json'), `${JSON.stringify(cut, null, 1)}\n`);
  return { copy, isEmpty: !isMended, cut: describeCut(cut) };
}

/** Tells whether the manifest is one: the tool would cut any other file off as if it held commands. */
const namesFiles = (files) =>
  /^file \S+ seq \d+ type [bhi]$/m.test(readFileSync(join(files, MANIFEST), 'utf8'));

function cutOff(binary, files) {
  checkAof(binary, files, ['--fix', MANIFEST], 'y\n');
  return isSound(binary, files);
}

const isSound = (binary, files) => checkAof(binary, files, [MANIFEST]).status === 0;

function checkAof(binary, files, args, input = '') {
  const beside = join(dirname(binary), 'redis-check-aof');
  const tool = existsSync(beside) ? beside : 'redis-check-aof';
  const result = spawnSync(tool, args, { cwd: files, input, encoding: 'utf8' });
  if (result.error) {
    throw new Problem(
      `Redis did not start; redis.log says why. If its files are damaged (redis-check-aof, which would tell, is not there): ${asideBy(files)}`,
    );
  }
  return result;
}

/** Tells the one thing to do: Postgres has all that matters. */
const asideBy = (files) =>
  `run "mv '${files}' '${files}-damaged'" and start again; stock is rebuilt from Postgres, purchases of the last second may be missing.`;
