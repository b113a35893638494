import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hasEnded, stopChild } from './processes.mjs';

/**
 * Starts a Redis cluster of six servers in a process of its own.
 * @param {{ root: string, onSpawn: (child: import('node:child_process').ChildProcess) => void }} options
 * @returns {Promise<{ url: string, stop: () => Promise<boolean> }>} @throws {Error} if it does not come up
 */
export async function startClusterForTests({ root, onSpawn }) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=react-server', join(root, 'test/support/cluster-process.ts')],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onSpawn(child);
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const url = String(said).trim();
  if (hasEnded(child) || !url.startsWith('redis+cluster://')) throw new Error('the cluster did not come up');
  return { url, stop: () => stopChild(child, { graceMs: 10_000 }) };
}
