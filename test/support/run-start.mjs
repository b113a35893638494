import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { cleanEnv } from '../../scripts/infra/clean-env.mjs';

const root = resolve(import.meta.dirname, '../..');

/**
 * Runs `npm start`'s script to its end, for starts that should refuse.
 * @param {Record<string, string>} env added to an environment without any of our variables
 * @param {string[]} [nodeArgs] before the script
 * @param {string[]} [args] after it
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function runStart(env, nodeArgs = [], args = []) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...nodeArgs, join(root, 'scripts', 'start.mjs'), ...args], {
      cwd: root,
      env: cleanEnv(process.env, env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', fail);
    child.once('close', (code) => done({ code, output }));
  });
}
