import { join } from 'node:path';
import { cleanEnv } from './clean-env.mjs';
import { anyFreePort } from './ports.mjs';
import { Problem } from './problem.mjs';
import { hasEnded, stopChild } from './processes.mjs';
import { lastLine } from './read-log.mjs';
import { readRuntime } from './runtime-file.mjs';
import { spawnNode } from './spawn-logged.mjs';
import { waitUntilReady } from './wait-until-ready.mjs';

/** For one that hangs: how quickly the whole product stops is measured by itself. */
const STOP_WITHIN_MS = 60_000;

/**
 * Starts another web process beside a running product, on the same servers and from the same build, with settings of
 * its own.
 * @param {{ root: string, dataDir: string, name: string, env: (port: number) => Record<string, string>,
 *   onSpawn?: (child: import('node:child_process').ChildProcess) => void }} options `name`: of its log
 * @returns {Promise<{ url: string, stop: () => Promise<boolean> }>} `stop`: whether SIGTERM ended it cleanly and in
 *   time.
 * @throws {import('./problem.mjs').Problem} when it does not become ready.
 */
export async function startSecondWeb({ root, dataDir, name, env, onSpawn = () => {} }) {
  const port = await anyFreePort();
  const url = `http://localhost:${port}`;
  const logFile = join(dataDir, 'logs', `${name}.log`);
  const child = spawnNode({
    args: ['--enable-source-maps', join(root, '.next', 'seckill-server.mjs')],
    cwd: root,
    env: cleanEnv(process.env, {
      ...readRuntime(dataDir),
      NODE_ENV: 'production',
      SECKILL_HOST: '127.0.0.1',
      ...env(port),
      PORT: String(port),
      NEXTAUTH_URL: url,
    }),
    logFile,
  });
  onSpawn(child);
  await waitUntilReady({
    origin: `http://127.0.0.1:${port}`,
    logFile,
    isCancelled: () => hasEnded(child),
  });
  if (hasEnded(child)) throw new Problem(`The web process ${name} ended: ${lastLine(logFile)}`);
  return {
    url,
    stop: async () => (await stopChild(child, { graceMs: STOP_WITHIN_MS })) && child.exitCode === 0,
  };
}
