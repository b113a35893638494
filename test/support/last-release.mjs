import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { cleanEnv } from '../../scripts/infra/clean-env.mjs';
import { runToEnd } from '../../scripts/infra/run-to-end.mjs';
import { withCheckoutLock } from '../../scripts/infra/with-checkout-lock.mjs';

/** Git and all tools leave such folders alone. */
const FOLDER = '.next-last-release';
const NAME = 'deploy/last-release';

/**
 * The release that shops run now: the commit that `deploy/last-release` names. The next release has to run beside it.
 * @param {string} root repository root
 * @returns {{ commit: string, problem?: undefined } | { commit: string, problem: string }} `problem`: why its files
 *   can't be had here
 */
export function findLastRelease(root) {
  const commit = readFileSync(join(root, NAME), 'utf8').trim();
  if (!/^[0-9a-f]{40}$/.test(commit))
    throw new Error(`${NAME} must hold the whole id of a commit, not "${commit}"`);
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return { commit };
  } catch {
    const short = commit.slice(0, 8);
    return {
      commit,
      problem: `the history here does not hold ${short}, the last release (a shallow clone?)`,
    };
  }
}

/**
 * Lists a folder of the last release. @param {string} root repository root @param {string} commit @param {string} path
 * @returns {string[]} names in that folder, as they were then
 */
export const namesInRelease = (root, commit, path) =>
  execFileSync('git', ['ls-tree', '--name-only', commit, `${path}/`], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((name) => name.slice(path.length + 1));

/**
 * Takes the last release out of the history and builds it, a minute's work, once: the next call finds it built. It uses
 * the packages of this checkout if it names the same ones, and installs its own otherwise.
 * @param {string} root repository root @param {string} commit
 * @returns {Promise<string>} the folder to run its processes from
 */
export async function buildLastRelease(root, commit) {
  const folder = join(root, FOLDER);
  const dir = join(folder, commit);
  mkdirSync(folder, { recursive: true });
  await withCheckoutLock(folder, async () => {
    for (const name of readdirSync(folder)) {
      const isOther = /^[0-9a-f]{40}/.test(name) && name !== commit;
      if (isOther) rmSync(join(folder, name), { recursive: true, force: true });
    }
    if (!existsSync(dir)) extract(root, commit, dir);
    borrowPackages(root, dir);
    await runToEnd({
      what: 'The last release could not be built',
      command: process.execPath,
      args: ['scripts/build.mjs'],
      cwd: dir,
      env: cleanEnv(process.env),
      logFile: join(folder, 'build.log'),
    });
  });
  return dir;
}

function extract(root, commit, dir) {
  const [archive, half] = [`${dir}.tar`, `${dir}.half`];
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half);
  execFileSync('git', ['archive', '--format=tar', `--output=${archive}`, commit], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', half]);
  rmSync(archive);
  // Its .gitignore counts only in a repository: without one Tailwind reads all packages.
  execFileSync('git', ['init', '--quiet', half]);
  // It appears whole or not at all.
  renameSync(half, dir);
}

/**
 * Gives the release our packages if they are the ones that it names; others are installed by its own build. Each file is a
 * link to ours: what is removed there stays here, and a link to the whole folder would be read through, by Tailwind too.
 */
function borrowPackages(root, dir) {
  const lockOf = (of) => readFileSync(join(of, 'package-lock.json'), 'utf8');
  const packages = join(dir, 'node_modules');
  if (existsSync(packages) || lockOf(root) !== lockOf(dir)) return;
  const half = `${packages}.half`;
  rmSync(half, { recursive: true, force: true });
  linkFiles(join(root, 'node_modules'), half);
  renameSync(half, packages);
}

function linkFiles(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}
