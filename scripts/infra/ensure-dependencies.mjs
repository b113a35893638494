import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  // `npm start` names its own npm-cli.js; without it there may only be a shell script on the PATH.
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
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

/** Whether somebody ran `npm ci` by hand: npm keeps a list of what it put into node_modules, written last. */
function areAllThere(root, lock) {
  const list = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages;
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '' || wanted.link) return true;
    const found = installed[path];
    return found ? found.version === wanted.version : wanted.optional || wanted.devOptional || wanted.peer;
  });
}
