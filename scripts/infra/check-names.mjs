import { existsSync, readdirSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Problem } from './problem.mjs';

const TEST = /\.(test|spec)\.\w+$/;

/**
 * Checks the tests that somebody named, before anything is installed for them.
 * @param {string} root of the repository
 * @param {readonly string[]} names of files and folders, from the root
 * @returns {string[]} the same, a folder's with a slash at its end: vitest runs every file whose path holds a name, and `test` is
 *   a part of all
 * @throws {Problem} if one is not there, is elsewhere, or is and holds no test
 */
export function checkNames(root, names) {
  return names.map((name) => {
    const path = resolve(root, name);
    if (relative(root, path).startsWith('..') || !existsSync(path))
      throw new Problem(`There is no file or folder ${JSON.stringify(name)} here.`);
    const isFolder = statSync(path).isDirectory();
    const hasTests = isFolder
      ? readdirSync(path, { recursive: true }).some((inside) => TEST.test(inside))
      : TEST.test(name);
    if (!hasTests) throw new Problem(`${JSON.stringify(name)} is no test, and holds none.`);
    return isFolder && !name.endsWith('/') ? `${name}/` : name;
  });
}
