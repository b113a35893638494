import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isAlive } from './processes.mjs';
import { createSupervisor, spawnNode } from './supervise.mjs';

let dir;
let supervisor;
let said;
let gaveUp;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seckill-supervise-'));
  said = [];
  gaveUp = vi.fn();
  supervisor = createSupervisor({
    dir,
    say: (line) => said.push(line),
    onGiveUp: gaveUp,
    firstBackoffMs: 10,
  });
});
afterEach(async () => {
  supervisor.kill();
  rmSync(dir, { recursive: true, force: true });
});

const logFile = () => join(dir, 'part.log');
const part = (name, code, rest = {}) => ({
  name,
  logFile: logFile(),
  launch: (onSpawn) =>
    onSpawn(spawnNode({ args: ['-e', code], cwd: dir, env: process.env, logFile: logFile() })),
  ...rest,
});
const pidOf = (name) =>
  JSON.parse(readFileSync(join(dir, 'children.json'), 'utf8')).find((child) => child.name === name)?.pid;
const lines = () => readFileSync(logFile(), 'utf8').trim().split('\n');

it('[L1] a part that was killed runs again', async () => {
  await supervisor.add(part('worker', 'setInterval(() => {}, 1000)'));
  const first = pidOf('worker');
  process.kill(first, 'SIGKILL');
  await vi.waitFor(() => expect(pidOf('worker')).not.toBe(first), { timeout: 20_000 });
  expect(isAlive(pidOf('worker'))).toBe(true);
  expect(said).toEqual([expect.stringMatching(/The worker ended \(SIGKILL\) and is started again/)]);
  expect(gaveUp).not.toHaveBeenCalled();
});

it('[L1] a part that crashes five times in a row is given up, with the reason from its log', async () => {
  await supervisor.add(part('worker', 'console.error("no such table"); process.exit(3)'));
  await vi.waitFor(() => expect(gaveUp).toHaveBeenCalled(), { timeout: 20_000 });
  expect(gaveUp).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^The worker ended 5 times in a row \(exit code 3\): no such table\. /),
  );
  expect(lines()).toHaveLength(5);
});

it('[L1] stores are stopped only after everything that writes to them has ended', async () => {
  const saysBye = (name, delayMs) =>
    `process.on('SIGTERM', () => setTimeout(() => { console.log('${name}'); process.exit(0) }, ${delayMs}));
     console.log('up'); setInterval(() => {}, 1000)`;
  await supervisor.add(part('redis', saysBye('redis ended', 0), { isStore: true }));
  await supervisor.add(part('web', saysBye('web ended', 200)));
  await vi.waitFor(() => expect(lines()).toEqual(['up', 'up']), 10_000);
  expect(await supervisor.stop()).toBe(true);
  expect(lines().slice(2)).toEqual(['web ended', 'redis ended']);
});

it('[L1] nothing is started again once stopping has begun', async () => {
  writeFileSync(logFile(), '');
  await supervisor.add(part('web', 'console.log("up"); setInterval(() => {}, 1000)'));
  await vi.waitFor(() => expect(lines()).toEqual(['up']), 10_000);
  await supervisor.stop();
  expect(said).toEqual([]);
  expect(isAlive(pidOf('web'))).toBe(false);
});
