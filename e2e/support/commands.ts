import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@playwright/test';

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

/** How often a command is run that says it can't do its work. */
const MOST_RUNS = 10;

/**
 * Runs a command that may be run again: does so while it says that it can't do its work, as it does on a machine that stands
 * still just when it asks a store.
 */
export async function npmRunAgain(script: string, args: string[]): ReturnType<typeof npmRun> {
  for (let runs = 1; ; runs += 1) {
    const ran = await npmRun(script, args);
    if (ran.code !== 2 || runs === MOST_RUNS) return ran;
    await delay(1_000);
  }
}

/** Waits until `npm run verify` finds a sale's books in order: a busy machine may have something under way for long. */
export const expectBalanced = (saleId: string): Promise<void> =>
  expect(async () => {
    const { code, stdout, stderr } = await npmRunAgain('verify', ['--sale', saleId, '--json']);
    expect(code, stdout + stderr).toBe(0);
  }).toPass({ timeout: 240_000, intervals: [1_000] });

/** Returns a setting of the running product, such as the secret a payment provider would know. */
export function setting(name: string): string {
  const { env } = JSON.parse(readFileSync(resolve(dataDir, 'runtime.json'), 'utf8')) as {
    env: Record<string, string>;
  };
  const value = env[name];
  if (!value) throw new Error(`the product runs without ${name}`);
  return value;
}
