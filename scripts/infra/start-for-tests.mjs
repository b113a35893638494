import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cleanEnv } from './clean-env.mjs';
import { anyFreePort } from './ports.mjs';
import { Problem } from './problem.mjs';

/** Ends a start that hangs: one that builds on a busy machine takes minutes. */
const READY_TIMEOUT_MS = 1_800_000;

/**
 * Starts the product as a user does and waits for its "Ready" line.
 * @param {{ root: string, dataDir: string, env?: Record<string, string>, port?: number, timeoutMs?: number, onSpawn?:
 *   (pid: number, kill: () => void) => void }} options `onSpawn`: called at once, long before it is ready.
 * @returns {Promise<{ url: string, port: number, dataDir: string, pid: number, output: () => string, stop: () =>
 *   Promise<{ isClean: boolean, seconds: number, said: string }>, kill: () => void }>} `stop`: SIGTERM to it alone;
 *   `said`: what it said from then on, and its exit code; `kill`: SIGKILL to its whole process group.
 * @throws {Problem} with its output when it ends or hangs before that.
 */
export async function startForTests({
  root,
  dataDir,
  env = {},
  port,
  timeoutMs = READY_TIMEOUT_MS,
  onSpawn = () => {},
}) {
  const chosen = port ?? (await anyFreePort());
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
  const kill = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // No process of the group is left.
    }
  };
  if (child.pid) onSpawn(child.pid, kill);
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      kill();
      reject(new Problem(`npm start was not ready in ${timeoutMs / 1000} s:\n${output}`));
    }, timeoutMs);
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
    output: () => output,
    async stop() {
      const from = performance.now();
      const saidBefore = output.length;
      child.kill('SIGTERM');
      const { code, signal } = await exited;
      return {
        isClean: code === 0 && /^Stopped\.$/m.test(output),
        seconds: (performance.now() - from) / 1000,
        said: `${output.slice(saidBefore)}\n(${signal ?? `exit code ${code}`})`,
      };
    },
    kill,
  };
}
