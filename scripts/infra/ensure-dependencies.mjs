import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmCommand } from './npm-command.mjs';
import { runToEnd } from './run-to-end.mjs';
import { withCheckoutLock } from './with-checkout-lock.mjs';

/**
 * Runs `npm ci` when node_modules is missing or was made from another package-lock.json.
 * @param {string} root repository root
 * @param {{ env?: NodeJS.ProcessEnv, wait?: import('./progress.mjs').Wait }} [options] `env`: of npm
 * @returns {Promise<string>} what was done, for the progress line.
 */
export async function ensureDependencies(root, { env = process.env, wait } = {}) {
  if (areInstalled(root)) return 'up to date';
  return withCheckoutLock(
    root,
    async () => (areInstalled(root) ? 'installed by another command' : await install(root, env, wait)),
    wait,
  );
}

/**
 * Runs `npm ci` only where there is no node_modules at all: a shop may run from this checkout, and `npm ci` would
 * remove the packages it uses. Packages that only developers need may be missing.
 * @param {string} root repository root
 * @param {import('./progress.mjs').Wait} [wait]
 * @returns {Promise<boolean>} whether the installed packages are those package-lock.json names.
 */
export async function ensureAnyDependencies(root, wait) {
  if (areInstalled(root)) return true;
  // While another process installs, the list does not exist yet; under the lock none does.
  if (!existsSync(listIn(root))) {
    await withCheckoutLock(
      root,
      async () => hasPackages(root) || (await install(root, process.env, wait)),
      wait,
    );
  }
  return areInstalled(root) || areAllThere(root, JSON.parse(lockTextOf(root)), (wanted) => wanted.dev);
}

const hasPackages = (root) =>
  existsSync(join(root, 'node_modules')) &&
  readdirSync(join(root, 'node_modules')).some((name) => !name.startsWith('.'));
const listIn = (root) => join(root, 'node_modules', '.package-lock.json');
const stampIn = (root) => join(root, 'node_modules', '.seckill-lock-hash');
const lockTextOf = (root) => readFileSync(join(root, 'package-lock.json'), 'utf8');
const hashOf = (text) => createHash('sha256').update(text).digest('hex');

function areInstalled(root) {
  const lockText = lockTextOf(root);
  const hash = hashOf(lockText);
  const stamp = stampIn(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  if (!areAllThere(root, JSON.parse(lockText))) return false;
  try {
    writeFileSync(stamp, hash);
  } catch {
    // The stamp saves reading the list next time; a checkout that can't be written works without it.
  }
  return true;
}

async function install(root, env, wait) {
  const hash = hashOf(lockTextOf(root));
  const logs = mkdtempSync(join(tmpdir(), 'seckill-npm-'));
  const { command, first } = npmCommand();
  await runToEnd({
    what: 'The dependencies could not be installed',
    command,
    // With NODE_ENV=production npm would leave out packages that building and testing need. Warnings don't tell what
    // npm is doing.
    args: [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    cwd: root,
    env,
    logFile: join(logs, 'npm-ci.log'),
    advice: 'Check the network and run "npm ci".',
    // npm says nothing while all goes well.
    wait: (last) => wait?.(() => last() || 'npm downloads and unpacks the packages'),
  });
  writeFileSync(stampIn(root), hash);
  rmSync(logs, { recursive: true, force: true });
  return 'installed';
}

/**
 * Says whether somebody ran `npm ci` by hand: npm keeps a list of what it put into node_modules, and writes it last.
 * @param {string} root @param {any} lock @param {(wanted: any) => boolean} [mayLack] which may be missing, besides
 *   packages that no platform needs
 */
function areAllThere(root, lock, mayLack = () => false) {
  const list = listIn(root);
  if (!existsSync(list)) return false;
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages;
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '' || wanted.link) return true;
    const found = installed[path];
    return found
      ? found.version === wanted.version
      : wanted.optional || wanted.devOptional || wanted.peer || mayLack(wanted);
  });
}
