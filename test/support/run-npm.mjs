import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { cleanEnv } from '../../scripts/infra/clean-env.mjs';

const root = resolve(import.meta.dirname, '../..');

/**
 * Runs one of our commands to its end, as a person does in a shell.
 * @param {string} name of the command
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to an environment without any of our variables
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export function runNpm(name, args, env = {}) {
  return new Promise((done, fail) => {
    const child = spawn('npm', ['run', '--silent', name, '--', ...args], {
      cwd: root,
      env: cleanEnv(process.env, env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}
