import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { bundleProcess } from '@/test/support/bundle-process';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';

export type FastPathProcess = { origin: string; child: ChildProcess; stop: () => Promise<number | null> };

type FastPathOptions = {
  /** The script to run: its name beside this file, or its whole path. */
  script?: string;
  args?: string[];
  /** Command-line flags for Node. */
  flags?: string[];
  env?: Record<string, string>;
};

/** For tests: starts a web process of its own that uses this test file's servers. The caller stops it. */
export async function startFastPath(options: FastPathOptions = {}): Promise<FastPathProcess> {
  const { script = 'fast-path-process.ts', args = [], flags = [], env = {} } = options;
  const port = await anyFreePort();
  const child = fork(await bundleProcess(resolve(import.meta.dirname, script)), args, {
    execArgv: flags,
    env: { ...process.env, PORT: String(port), SECKILL_HOST: '127.0.0.1', NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  await Promise.race([
    once(child, 'message'),
    exited.then((code) => {
      throw new Error(`the web process ended with ${code}`);
    }),
  ]);
  return {
    origin: `http://127.0.0.1:${port}`,
    child,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
