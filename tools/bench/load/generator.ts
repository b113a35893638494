import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Job, LoadResult } from './types';

const TIMEOUT_MS = 120_000;

export type Generator = { run(job: Job): Promise<LoadResult>; stop(): void };

/**
 * Starts the load generator's process. It does one job at a time.
 * @param env of the product, for the key that signs tokens.
 */
export function startGenerator(root: string, env: NodeJS.ProcessEnv): Generator {
  const child: ChildProcess = fork(join(root, 'tools/bench/load/main.ts'), {
    cwd: root,
    env,
    execArgv: ['--import', 'tsx', '--conditions=react-server'],
  });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => finish(new Error('the load generator does not answer')), TIMEOUT_MS);
        const onExit = () => finish(new Error('the load generator ended'));
        const onMessage = (message: { result?: LoadResult; error?: string }) => {
          finish(message.result ?? new Error(message.error ?? 'the load generator said nothing'));
        };
        const finish = (outcome: LoadResult | Error) => {
          clearTimeout(timer);
          child.off('exit', onExit);
          child.off('message', onMessage);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        child.once('exit', onExit);
        child.once('message', onMessage);
        child.send(job);
      }),
    stop: () => void child.kill(),
  };
}
