import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { isAlive } from './processes.mjs';

it('kills what is left of a run that was killed, but not what is known to have ended', async () => {
  const code = `
    import { spawn } from 'node:child_process';
    import { startReaper } from ${JSON.stringify(join(import.meta.dirname, 'reaper.mjs'))};
    const sleeper = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid;
    const [forgotten, watched] = [sleeper(), sleeper()];
    const reaper = startReaper();
    reaper.watch(forgotten);
    reaper.watch(watched);
    reaper.forget(forgotten);
    process.send([forgotten, watched]);`;
  const run = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const [[forgotten, watched]] = await once(run, 'message');
  try {
    run.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(watched)).toBe(false), 50_000);
    // The reaper kills them in the order in which they were named.
    expect(isAlive(forgotten)).toBe(true);
  } finally {
    process.kill(forgotten, 'SIGKILL');
  }
});
