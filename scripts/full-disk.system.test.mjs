import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { expectCleanStop } from '../test/support/expect-clean-stop.mjs';
import { runNpm } from '../test/support/run-npm.mjs';
import { runStart } from '../test/support/run-start.mjs';
import { startShoppers } from '../test/support/shoppers.mjs';
import { readChildren } from './infra/child-record.mjs';
import { findMarked } from './infra/part-mark.mjs';
import { anyFreePort } from './infra/ports.mjs';
import { isSameProcess } from './infra/processes.mjs';
import { startReaper } from './infra/reaper.mjs';
import { startForTests } from './infra/start-for-tests.mjs';

const PARTS = ['executor', 'postgres', 'redis', 'web', 'worker'];
const FULL_SECONDS = 20;
/** A slow machine writes, and so notices, less in those. */
const AT_MOST_SECONDS = 180;
const WAIT = { timeout: 180_000, interval: 250 };

const root = resolve(import.meta.dirname, '..');
const disk = mkdtempSync(join(tmpdir(), 'seckill-small-disk-'));
const dataDir = join(disk, 'data');
const kills = [];
const reaper = startReaper();
const start = () =>
  startForTests({
    root,
    dataDir,
    onSpawn(pid, kill) {
      reaper.watch(-pid);
      kills.push(kill);
    },
  });
/** The reason why this machine can't have a small disk, if it can't. */
const cannot = mount();

function mount() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux may mount a small disk';
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=711', 'none', disk]);
  return status === 0 ? undefined : `a small disk can't be mounted here: ${stderr}`;
}

afterAll(() => {
  for (const kill of kills) kill();
  if (!cannot) spawnSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true, force: true });
  reaper.dismiss();
});

/** Takes all free space; other processes may have freed some meanwhile. */
function fill(handle) {
  for (const bytes of [1 << 20, 1 << 12, 1]) {
    const block = Buffer.alloc(bytes, 'x');
    try {
      for (;;) if (writeSync(handle, block) < bytes) break;
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
}

it.for([
  ['nothing', 0],
  ['too little for Postgres', 20 * 1024 * 1024],
])(
  '[L1] a start on a disk with %s left names the disk and leaves nothing running',
  async ([, freeBytes], { skip }) => {
    if (cannot) skip(cannot);
    const own = join(disk, 'never');
    const spare = Buffer.alloc(freeBytes);
    writeFileSync(join(disk, 'spare'), spare);
    const filler = openSync(join(disk, 'filler'), 'w');
    fill(filler);
    closeSync(filler);
    rmSync(join(disk, 'spare'));
    const { code, output } = await runStart({
      PORT: String(await anyFreePort()),
      SECKILL_DATA_DIR: own,
    });
    expect(code).toBe(1);
    expect(output.trim().split('\n').at(-1)).toBe(
      `The disk with ${own} is full: free some space there and start again, or put the data elsewhere with SECKILL_DATA_DIR.`,
    );
    expect(findMarked(disk)).toEqual([]);
    for (const name of ['filler', 'never']) rmSync(join(disk, name), { recursive: true, force: true });
  },
);

const running = () => readChildren(dataDir).filter(isSameProcess);

it(`[J4] a disk full for ${FULL_SECONDS} s under purchases: the product comes back by itself, and so does every 202`, async ({
  skip,
}) => {
  if (cannot) skip(cannot);
  chmodSync(disk, 0o711);
  const product = await start();
  const shoppers = await startShoppers(product);
  await vi.waitFor(() => expect(shoppers.accepted.size).toBeGreaterThan(10), WAIT);

  const filler = openSync(join(disk, 'filler'), 'w');
  const hasRedisEnded = () =>
    /The redis ended \(exit code 1: the disk with .* is full\)/.test(product.output());
  for (let second = 0; second < FULL_SECONDS || (!hasRedisEnded() && second < AT_MOST_SECONDS); second += 1) {
    fill(filler);
    await sleep(1_000);
  }
  closeSync(filler);
  const before = shoppers.accepted.size;
  rmSync(join(disk, 'filler'));
  const hasRoomAt = performance.now();

  await vi.waitFor(async () => {
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
    expect(
      running()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(PARTS);
    expect(shoppers.accepted.size).toBeGreaterThan(before);
  }, WAIT);
  console.info(`sells again ${Math.round(performance.now() - hasRoomAt)} ms after there was room`);
  await shoppers.stop();
  expect(hasRedisEnded(), product.output()).toBe(true);

  // The shop writes pending work within seconds.
  await vi.waitFor(async () => {
    const verified = await runNpm('verify', ['--sale', shoppers.saleId], { SECKILL_DATA_DIR: dataDir });
    expect(verified, verified.stdout).toMatchObject({ code: 0, stderr: '' });
  }, WAIT);
  expect(await shoppers.findAll()).toEqual([]);

  await expectCleanStop(product);
  expect(findMarked(dataDir)).toEqual([]);
  const again = await start();
  expect(again.output()).not.toMatch(/left-over/);
  await expectCleanStop(again);
});
