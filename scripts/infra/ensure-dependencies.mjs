import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './run-tool.mjs';

/**
 * Runs `npm ci` when node_modules is missing or was made from another package-lock.json.
 * @param {string} root repository root
 * @returns {Promise<string>} what was done, for the progress line.
 */
export async function ensureDependencies(root) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lockText).digest('hex');
  const stamp = join(root, 'node_modules', '.seckill-lock-hash');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return 'up to date';
  if (isInstalled(root, JSON.parse(lockText))) {
    writeFileSync(stamp, hash);
    return 'up to date';
  }
  const logs = mkdtempSync(join(tmpdir(), 'seckill-npm-'));
  // `npm start` names its own npm-cli.js; without it there may only be a shell script on the PATH.
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  await runTool({
    what: 'The dependencies could not be installed',
    command,
    // NODE_ENV=production would leave out what builds and tests need.
    args: [...first, 'ci', '--include=dev', '--no-audit', '--no-fund'],
    cwd: root,
    logFile: join(logs, 'npm-ci.log'),
    advice: 'Check the network and run "npm ci".',
  });
  writeFileSync(stamp, hash);
  rmSync(logs, { recursive: true, force: true });
  return 'installed';
}

/** Whether somebody ran `npm ci` by hand: npm keeps a list of what it put into node_modules. */
function isInstalled(root, lock) {
  const list = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages;
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '' || wanted.link) return true;
    const found = installed[path];
    return found ? found.version === wanted.version : wanted.optional || wanted.devOptional || wanted.peer;
  });
}
