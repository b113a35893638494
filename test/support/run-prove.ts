import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** For tests: runs `npm run prove` without any setting of a shop, as it asks no server. */
export const runProve = (...args: string[]) =>
  new Promise<{ code: number; text: string }>((done) => {
    const command = [
      '--import',
      './scripts/before-command.mjs',
      '--import',
      'tsx',
      '--conditions=react-server',
    ];
    const options = {
      cwd: resolve(import.meta.dirname, '../..'),
      env: { PATH: process.env.PATH, NODE_ENV: 'test' as const },
    };
    execFile(process.execPath, [...command, 'scripts/prove.ts', ...args], options, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), text: out + err }),
    );
  });
