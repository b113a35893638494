import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { signsOfLife, watchForProgress } from './watch-for-progress.mjs';

it('[L1] what changes is not stuck, however long it takes; what stays the same is, once', async () => {
  vi.useFakeTimers();
  try {
    let state = 0;
    const onStuck = vi.fn();
    watchForProgress(() => state, onStuck);
    for (let minute = 0; minute < 60; minute += 1) {
      state += 1;
      await vi.advanceTimersByTimeAsync(60_000);
    }
    await vi.advanceTimersByTimeAsync(500_000);
    expect(onStuck).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(onStuck).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

it.runIf(process.platform === 'linux')(
  '[L1] a process shows that it works by its log, and by the processor time of all it has started',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'seckill-signs-'));
    const logFile = join(dir, 'a.log');
    const busy = 'for (;;) {}';
    const code = `require('node:child_process').spawn(process.execPath, ['-e', '${busy}'], { stdio: 'inherit' }); setInterval(() => {}, 1e6); console.log('up')`;
    const child = spawn(process.execPath, ['-e', code], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    try {
      await once(child.stdout, 'data');
      const look = signsOfLife(child, logFile);
      const first = look();
      await vi.waitFor(() => expect(look()).not.toBe(first), 50_000);
      const idle = signsOfLife({ pid: undefined }, logFile);
      const before = idle();
      expect(idle()).toBe(before);
      appendFileSync(logFile, 'more');
      expect(idle()).not.toBe(before);
    } finally {
      process.kill(-child.pid, 'SIGKILL');
      rmSync(dir, { recursive: true });
    }
  },
);
