import { existsSync, readdirSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Problem } from './problem.mjs';

const TEST = /\.(test|spec)\.\w+$/;

/**
 * Checks the tests that somebody named, before anything is installed for them.
 * @param {string} root of the repository
 * @param {readonly string[]} names of files and folders, from the root
 * @throws {Problem} if one is not there, is elsewhere, or is and holds no test
 */
export function checkNames(root, names) {
  for (const name of names) {
    const path = resolve(root, name);
    if (relative(root, path).startsWith('..') || !existsSync(path))
      throw new Problem(`There is no file or folder ${JSON.stringify(name)} here.`);
    const hasTests = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).some((inside) => TEST.test(inside))
      : TEST.test(name);
    if (!hasTests) throw new Problem(`${JSON.stringify(name)} is no test, and holds none.`);
  }
}
