import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnv } from './clean-env.mjs';
import { anyFreePort } from './ports.mjs';
import { Problem } from './problem.mjs';
import { commandsInGroup, killGroup } from './processes.mjs';

/** Ends a start that hangs: one that builds on a busy machine takes minutes. */
const READY_TIMEOUT_MS = 1_800_000;
/** A process that still runs so long after the product has ended was left behind. */
const GONE_WITHIN_MS = 60_000;

/**
 * Starts the product as a user does and waits for its "Ready" line.
 * @param {{ root: string, dataDir: string, env?: Record<string, string>, port?: number, onSpawn?:
 *   (pid: number, kill: () => void) => void }} options `onSpawn`: called at once, long before it is ready.
 * @returns {Promise<{ url: string, port: number, dataDir: string, pid: number, readySeconds: number, output: () =>
 *   string, stop: () => Promise<{ isClean: boolean, seconds: number, said: string }>, kill: () => void }>} `stop`:
 *   SIGTERM to it alone; `isClean`: it ended by itself and nothing of it runs any more; `said`: what it said from then on,
 *   its exit code, and what still runs; `kill`: SIGKILL to its whole process group.
 * @throws {Problem} with its output when it ends or hangs before that.
 */
export async function startForTests({ root, dataDir, env = {}, port, onSpawn = () => {} }) {
  const chosen = port ?? (await anyFreePort());
  const since = performance.now();
  const child = spawn(process.execPath, [join(root, 'scripts', 'start.mjs')], {
    cwd: root,
    env: cleanEnv(process.env, { PORT: String(chosen), SECKILL_DATA_DIR: dataDir, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that a test can kill all of it at once.
    detached: true,
  });
  let output = '';
  // Not 'exit': its last words may not have been read by then.
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const kill = () => killGroup(child.pid);
  if (child.pid) onSpawn(child.pid, kill);
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      kill();
      reject(new Problem(`npm start was not ready in ${READY_TIMEOUT_MS / 1000} s:\n${output}`));
    }, READY_TIMEOUT_MS);
    const collect = (chunk) => {
      output += chunk;
      if (!/^Ready on http:/m.test(output)) return;
      clearTimeout(timer);
      resolve(undefined);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    void exited.then(({ code, signal }) => {
      clearTimeout(timer);
      reject(
        new Problem(`npm start ended (${signal ?? `exit code ${code}`}) before it was ready:\n${output}`),
      );
    });
  });
  return {
    url: `http://localhost:${chosen}`,
    port: chosen,
    dataDir,
    pid: child.pid ?? 0,
    readySeconds: (performance.now() - since) / 1000,
    output: () => output,
    async stop() {
      const from = performance.now();
      const saidBefore = output.length;
      child.kill('SIGTERM');
      const { code, signal } = await exited;
      const seconds = (performance.now() - from) / 1000;
      const left = await leftBehind(child.pid ?? 0);
      return {
        isClean: code === 0 && /^Stopped\.$/m.test(output) && left.length === 0,
        seconds,
        said: [
          output.slice(saidBefore),
          `(${signal ?? `exit code ${code}`})`,
          ...left.map((one) => `still runs: ${one}`),
        ].join('\n'),
      };
    },
    kill,
  };
}

/** @param {number} group of processes @returns {Promise<string[]>} the commands of those that don't end */
async function leftBehind(group) {
  const deadline = Date.now() + GONE_WITHIN_MS;
  let left = commandsInGroup(group);
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(100);
    left = commandsInGroup(group);
  }
  return left;
}
