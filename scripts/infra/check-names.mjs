import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Problem } from './problem.mjs';

const TEST = /\.(test|spec)\.\w+$/;

/**
 * Checks the tests that somebody named, before anything is installed for them.
 * @param {string} root of the repository
 * @param {readonly string[]} names of files and folders, from the root
 * @returns {string[]} the files that are meant. Vitest is not told of folders: it runs every file whose path holds a name.
 * @throws {Problem} if one is not there, is elsewhere, or is and holds no test
 */
export function checkNames(root, names) {
  return names.flatMap((name) => {
    const path = resolve(root, name);
    if (relative(root, path).startsWith('..') || !existsSync(path))
      throw new Problem(`There is no file or folder ${JSON.stringify(name)} here.`);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((inside) => join(relative(root, path), inside))
      : [name];
    const tests = files.filter((file) => TEST.test(file));
    if (tests.length === 0) throw new Problem(`${JSON.stringify(name)} is no test, and holds none.`);
    return tests;
  });
}
