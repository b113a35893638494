import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '@/test/support/eventually';
import { readChildren } from './child-record.mjs';
import { findMarked } from './part-mark.mjs';
import { isAlive, isSameProcess } from './processes.mjs';
import { spawnNode } from './spawn-logged.mjs';
import { createSupervisor } from './supervise.mjs';

const SLEEPS = 'setInterval(() => {}, 1000)';

/** The supervisor finds marks in /proc, which macOS does not have. */
const hasMarks = it.runIf(existsSync('/proc/self/environ'));

let dir;
let supervisor;
let said;
let neverUp;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seckill-supervise-'));
  said = [];
  neverUp = vi.fn();
  supervisor = supervise();
});
afterEach(() => {
  supervisor.kill();
  rmSync(dir, { recursive: true, force: true });
});

const supervise = (options = {}) => {
  // A supervisor of the test before may still have something to say.
  const lines = said;
  return createSupervisor({
    dir,
    say: (line) => lines.push(line),
    onNeverUp: neverUp,
    firstBackoffMs: 10,
    ...options,
  });
};
const logFile = () => join(dir, 'part.log');
const part = (name, code, rest = {}) => ({
  name,
  logFile: logFile(),
  launch: (onSpawn, mark) =>
    onSpawn(
      spawnNode({ args: ['-e', code], cwd: dir, env: { ...process.env, ...mark }, logFile: logFile() }),
    ),
  ...rest,
});
const pidOf = (name) => readChildren(dir).find((child) => child.name === name)?.pid;
const lines = () => readFileSync(logFile(), 'utf8').trim().split('\n');

it('[L1] a part that was killed runs again', async () => {
  await supervisor.add(part('worker', SLEEPS));
  const first = pidOf('worker');
  process.kill(first, 'SIGKILL');
  await eventually(() => {
    expect(pidOf('worker')).not.toBe(first);
    expect(isAlive(pidOf('worker'))).toBe(true);
  }, 20);
  expect(said).toEqual([
    `  The worker ended (SIGKILL); its log is ${logFile()}. It is started again in 0.01 s.`,
  ]);
  expect(neverUp).not.toHaveBeenCalled();
});

it('[L1] a part that crashes again and again before all are ready never will: that is told, with the reason', async () => {
  writeFileSync(logFile(), 'something older\n');
  await supervisor.add(part('worker', 'console.error("no such table"); process.exit(3)'));
  await eventually(() => expect(neverUp).toHaveBeenCalled(), 20);
  expect(neverUp).toHaveBeenCalledExactlyOnceWith(
    `The worker ended (exit code 3: no such table); its log is ${logFile()}. That was 5 times in a row.`,
  );
  expect(lines()).toHaveLength(1 + 5);
});

it('[L1] once all are ready a part that crashes is tried for ever, alone; it is told once and the others run on', async () => {
  await supervisor.add(part('redis', SLEEPS, { isStore: true }));
  const redis = pidOf('redis');
  supervisor.settle();
  await supervisor.add(part('worker', 'console.error("no such table"); process.exit(3)'));
  await eventually(() => expect(lines().length).toBeGreaterThan(7), 20);
  expect(neverUp).not.toHaveBeenCalled();
  expect(pidOf('redis')).toBe(redis);
  expect(isAlive(redis)).toBe(true);
  expect(said).toEqual([expect.stringMatching(/^ {2}The worker ended \(exit code 3: no such table\)/)]);
});

it('[L1] pauses stop growing at ten seconds, which is told once more', async () => {
  vi.useFakeTimers();
  try {
    const child = { pid: process.pid, exitCode: 1, signalCode: null, kill: () => true };
    supervisor = supervise({ firstBackoffMs: 3_000 });
    supervisor.settle();
    await supervisor.add(part('worker', '', { launch: (onSpawn) => onSpawn(child) }));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(said.map((line) => line.split('. ')[1])).toEqual([
      'It is started again in 3 s.',
      'That was 3 times; from now on it is tried every 10 s.',
    ]);
  } finally {
    vi.useRealTimers();
  }
});

it('[L1] a part that stays up is told of, and what was before is forgotten', async () => {
  supervisor = supervise({ steadyMs: 300 });
  const flag = join(dir, 'flag');
  const code = `require('node:fs').existsSync(${JSON.stringify(flag)}) ? ${SLEEPS} : process.exit(1)`;
  await supervisor.add(part('worker', code));
  await eventually(() => expect(said.length).toBeGreaterThan(0), 20);
  supervisor.settle();
  writeFileSync(flag, '');
  await eventually(() => expect(said.at(-1)).toBe('  The worker runs again.'), 20);
  process.kill(pidOf('worker'), 'SIGKILL');
  await eventually(() => expect(said.at(-1)).toMatch(/started again in 0.01 s\.$/), 20);
});

it('[L1] a store that does not come up again is tried again; what its launch says is told', async () => {
  let isBroken = false;
  const store = part('redis', SLEEPS, { isStore: true });
  await supervisor.add({
    ...store,
    launch(onSpawn, mark) {
      if (isBroken) throw new Error('Redis did not start (the disk is full).');
      store.launch(onSpawn, mark);
    },
  });
  supervisor.settle();
  isBroken = true;
  const first = pidOf('redis');
  process.kill(first, 'SIGKILL');
  await eventually(() => expect(said.at(-1)).toMatch(/^ {2}Redis did not start \(the disk is full\)\. /), 20);
  isBroken = false;
  await eventually(() => expect(isAlive(pidOf('redis') ?? 0) && pidOf('redis')).not.toBe(first), 20);
});

it('[L1] a log that grows past 10 MiB while its part runs is put aside, and the part writes on', async () => {
  supervisor = supervise({ rotateEveryMs: 100 });
  const code = `console.log('x'.repeat(11 * 1024 * 1024)); setInterval(() => console.log('still here'), 20)`;
  await supervisor.add(part('web', code));
  const pid = pidOf('web');
  await eventually(() => expect(statSync(`${logFile()}.1`).size).toBeGreaterThan(10 * 1024 * 1024), 20);
  await eventually(() => expect(new Set(lines())).toEqual(new Set(['still here'])), 20);
  expect(pidOf('web')).toBe(pid);
});

it.each([false, true])(
  '[L1] a program that is not there is an end like any other (shown: %s)',
  async (isShown) => {
    supervisor.settle();
    const launch = (onSpawn) =>
      onSpawn(
        spawnNode({ args: ['-e', ''], cwd: join(dir, 'nowhere'), env: {}, logFile: logFile(), isShown }),
      );
    await supervisor.add(part('worker', '', { launch }));
    await eventually(() => expect(said).toHaveLength(1), 20);
    expect(said[0]).toMatch(/The worker ended \(it could not be started\)/);
    expect(await supervisor.stop()).toBe(true);
  },
);

it('[L1] a child that has no id is not killed: that would reach the whole process group', async () => {
  const child = { pid: undefined, exitCode: null, signalCode: null, kill: vi.fn() };
  await supervisor.add(part('worker', '', { launch: (onSpawn) => onSpawn(child) }));
  supervisor.kill();
  expect(child.kill).not.toHaveBeenCalled();
});

hasMarks('[L1] a child that can be neither recorded nor logged is kept all the same', async () => {
  // Puts folders in place of files: opening them fails as on a full disk.
  mkdirSync(join(dir, 'children.json'));
  mkdirSync(logFile());
  await supervisor.add(part('web', SLEEPS));
  const [{ pid }] = findMarked(dir);
  process.kill(pid, 'SIGKILL');
  await eventually(() => {
    const [again, ...more] = findMarked(dir);
    expect(again).toMatchObject({ name: 'web' });
    expect([again.pid === pid, more]).toEqual([false, []]);
  }, 20);
  expect(await supervisor.stop()).toBe(true);
  expect(findMarked(dir)).toEqual([]);
});

it('[L1] stores are stopped only after everything that writes to them has ended', async () => {
  const saysBye = (name, delayMs) =>
    `process.on('SIGTERM', () => setTimeout(() => { console.log('${name}'); process.exit(0) }, ${delayMs}));
     console.log('up'); ${SLEEPS}`;
  await supervisor.add(part('redis', saysBye('redis ended', 0), { isStore: true }));
  await supervisor.add(part('web', saysBye('web ended', 200)));
  await eventually(() => expect(lines()).toEqual(['up', 'up']), 20);
  expect(await supervisor.stop()).toBe(true);
  expect(lines().slice(2)).toEqual(['web ended', 'redis ended']);
});

it('[L1] stores have the time that the others left; a part that had to be killed is named', async () => {
  const ends = (delayMs) =>
    `process.on('SIGTERM', () => setTimeout(() => process.exit(0), ${delayMs})); console.log('up'); ${SLEEPS}`;
  const stopped = async (code, isStore, graces) => {
    rmSync(logFile(), { force: true });
    supervisor = supervise(graces);
    await supervisor.add(part('redis', code, { isStore }));
    await eventually(() => expect(lines()).toEqual(['up']), 20);
    return supervisor.stop();
  };
  expect(await stopped(ends(500), true, { appGraceMs: 20_000, storeGraceMs: 100 })).toBe(true);
  expect(said).toEqual([]);
  expect(await stopped(ends(60_000), false, { appGraceMs: 200 })).toBe(false);
  expect(said).toEqual([`  The redis did not end within 0.2 s and was killed; its log is ${logFile()}.`]);
});

hasMarks(
  '[L1] nothing is started again once stopping has begun, and what a killed part left behind is ended',
  async () => {
    const leaves = `
    const { pid } = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(SLEEPS)}], { stdio: 'ignore', detached: true });
    console.log(pid); ${SLEEPS}`;
    await supervisor.add(part('web', leaves));
    await eventually(() => expect(lines()[0]).toMatch(/^\d+$/), 20);
    const running = findMarked(dir);
    expect(running).toHaveLength(2);
    await supervisor.stop();
    expect(said).toEqual([]);
    expect(running.filter(isSameProcess)).toEqual([]);
  },
);
