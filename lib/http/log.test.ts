import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CODE = `
  import { log } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
  for (let at = 0; at < 20_000; at += 1) log.info({ at }, 'x'.repeat(200));
  console.error('alive, in little memory:', process.memoryUsage().rss < 300 * 2 ** 20);`;

it.runIf(existsSync('/dev/full'))(
  '[J4] a process whose log is on a full disk goes on, in bounded memory',
  () => {
    const full = openSync('/dev/full', 'w');
    try {
      const args = ['--import', 'tsx', '--conditions=react-server', '--input-type=module', '-e', CODE];
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: join(import.meta.dirname, '../..'),
        encoding: 'utf8',
        stdio: ['ignore', full, 'pipe'],
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: 'alive, in little memory: true\n' });
    } finally {
      closeSync(full);
    }
  },
);
