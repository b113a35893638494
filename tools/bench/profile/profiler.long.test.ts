import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '@/test/support/eventually';
import { createProfiler } from './profiler';

const root = resolve(import.meta.dirname, '../../..');
const dir = mkdtempSync(join(tmpdir(), 'seckill profile '));
/** Whatever a failing test has left would go on working. */
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(dir, { recursive: true });
});

/** Works for most of the time until it is told to end. */
const WORK = `
  function burn() { const until = Date.now() + 20; while (Date.now() < until) Math.sqrt(until); }
  setInterval(burn, 25);
  process.on('SIGTERM', () => process.exit(0));
  setInterval(() => console.log('works'), 25);`;

async function startBusy(env: Record<string, string>) {
  // A function that was built into its caller before a profile began has no name in it.
  const child = spawn(process.execPath, ['--no-turbo-inlining', '-e', WORK], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  await once(child.stdout, 'data');
  /** Waits until it has worked some more, however little of a processor it gets. */
  const work = async () => {
    for (let times = 0; times < 8; times += 1) await once(child.stdout, 'data');
  };
  const end = async () => {
    child.kill();
    await once(child, 'exit');
    children.delete(child);
  };
  return { pid: child.pid, work, end };
}

/** Waits until the processes have noticed the figure, which takes longer on a busy machine. */
const begun = (figure: string, processes: readonly { pid: number | undefined }[]) =>
  eventually(() => {
    const files = readdirSync(join(dir, figure));
    for (const { pid } of processes)
      expect(
        files.find((file) => file.endsWith(`-${pid}.cpuprofile.part`)),
        `${pid}`,
      ).toBeDefined();
  }, 20);

describe('the profiler', () => {
  it('[E10] keeps what a process did during a figure, also one that ended meanwhile', async () => {
    const profiler = createProfiler(root, dir);
    const lasting = await startBusy(profiler.envOf('lasting'));
    await profiler.begin('one');
    const passing = await startBusy(profiler.envOf('passing'));
    await begun('one', [lasting, passing]);
    await Promise.all([lasting.work(), passing.work()]);
    await passing.end();
    const files = await profiler.end();
    expect(files.sort()).toEqual(
      [`lasting-${lasting.pid}`, `passing-${passing.pid}`].map((name) =>
        join(dir, 'one', `${name}.cpuprofile`),
      ),
    );
    for (const file of files) {
      const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
      expect(JSON.stringify(nodes)).toContain('"functionName":"burn"');
      expect(samples.length).toBe(timeDeltas.length);
    }

    await profiler.begin('two');
    await begun('two', [lasting]);
    writeFileSync(join(dir, 'two', `killed-${passing.pid}.cpuprofile.part`), '');
    await lasting.end();
    expect(await profiler.end()).toEqual([join(dir, 'two', `lasting-${lasting.pid}.cpuprofile`)]);
    expect(existsSync(join(dir, 'figure'))).toBe(false);
  });
});
