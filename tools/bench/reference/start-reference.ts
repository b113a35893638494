import { fork } from 'node:child_process';
import { join } from 'node:path';

const START_TIMEOUT_MS = 20_000;

export type Reference = { port: number; stop(): void };

/** Starts one of the yardsticks in this folder in a process of its own, on a port that it chooses. */
export function startReference(root: string, file: string, args: string[]): Promise<Reference> {
  const child = fork(join(root, 'tools/bench/reference', file), args, {
    cwd: root,
    execArgv: ['--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    const fail = () => {
      child.kill();
      reject(new Error(`${file} did not start`));
    };
    const timer = setTimeout(fail, START_TIMEOUT_MS);
    child.once('exit', fail);
    child.once('message', (port) => {
      clearTimeout(timer);
      child.off('exit', fail);
      resolve({ port: Number(port), stop: () => void child.kill() });
    });
  });
}
