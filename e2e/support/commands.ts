import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env.E2E_DATA_DIR ?? '.data');

/** Runs `npm run <script> -- …args` as a user does, in a shell that knows only the data directory. */
export function npmRun(
  script: string,
  args: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const env = { ...process.env, SECKILL_DATA_DIR: dataDir };
    const argv = ['run', '--silent', script, '--', ...args];
    execFile('npm', argv, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

/** Returns a setting of the running product, such as the secret a payment provider would know. */
export function setting(name: string): string {
  const { env } = JSON.parse(readFileSync(resolve(dataDir, 'runtime.json'), 'utf8')) as {
    env: Record<string, string>;
  };
  const value = env[name];
  if (!value) throw new Error(`the product runs without ${name}`);
  return value;
}
