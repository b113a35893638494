import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmCommand } from './npm-command.mjs';
import { runTool } from './run-tool.mjs';
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
 * Runs `npm ci` only where there is no node_modules at all: a shop may run from this checkout, and `npm ci` would take away
 * what it runs on. Packages that only developers need may be missing.
 * @param {string} root repository root
 * @param {import('./progress.mjs').Wait} [wait]
 * @returns {Promise<boolean>} whether what is installed is what package-lock.json names.
 */
export async function ensureAnyDependencies(root, wait) {
  if (areInstalled(root)) return true;
  // While somebody installs there is no list yet; under the lock nobody does.
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
    // The stamp saves a look at the list; a checkout that can't be written does without.
  }
  return true;
}

async function install(root, env, wait) {
  const hash = hashOf(lockTextOf(root));
  const logs = mkdtempSync(join(tmpdir(), 'seckill-npm-'));
  const { command, first } = npmCommand();
  await runTool({
    what: 'The dependencies could not be installed',
    command,
    // NODE_ENV=production would leave out what builds and tests need. Warnings say nothing about what it is doing.
    args: [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    cwd: root,
    env,
    logFile: join(logs, 'npm-ci.log'),
    advice: 'Check the network and run "npm ci".',
    wait,
  });
  writeFileSync(stampIn(root), hash);
  rmSync(logs, { recursive: true, force: true });
  return 'installed';
}

/**
 * Whether somebody ran `npm ci` by hand: npm keeps a list of what it put into node_modules, written last.
 * @param {string} root @param {any} lock @param {(wanted: any) => boolean} [mayLack] besides what no platform has to have
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
