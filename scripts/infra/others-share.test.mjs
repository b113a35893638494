import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { expect, it } from 'vitest';
import { watchOthers } from './others-share.mjs';

const LOOP = 'const until = Date.now() + 2_000; while (Date.now() < until);';

it('[L4] counts what processes use that nobody here has started', async () => {
  const share = watchOthers();
  // Its parent ends at once, so that it belongs to nobody here.
  const code = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(LOOP)}], { detached: true, stdio: 'ignore' }).unref()`;
  spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
  await expect.poll(share, { interval: 200 }).toBeGreaterThan(0.2 / cpus().length);
});
