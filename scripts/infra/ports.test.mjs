import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assignPorts } from './assign-ports.mjs';
import { anyFreePort, freePortFrom, isFree } from './ports.mjs';

const PARTS = ['web', 'postgres', 'redis', 'executor', 'metrics'];
const releaseAll = (ports) => Promise.all(PARTS.map((name) => ports.release(name)));

async function listening(port) {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  return server;
}

it('[L1] the next free port is taken when the default one is not free', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-ports-'));
  // It is just as good if another process has the port.
  const server = await listening(3000).catch(() => undefined);
  try {
    const ports = await assignPorts(dir, {});
    expect(ports.web).toBeGreaterThan(3000);
    expect(ports.note).toBe(`3000 is taken, so ${ports.web}`);
    // As long as it holds the ports nobody else gets them, not even the same product.
    expect((await assignPorts(dir, {})).postgres).not.toBe(ports.postgres);
  } finally {
    server?.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

it('[L1] a port that was lost all the same is replaced, which the next start remembers', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-ports-'));
  try {
    const ports = await assignPorts(dir, {});
    const other = await ports.replace('postgres');
    expect(other).not.toBe(ports.redis);
    await releaseAll(ports);
    const again = await assignPorts(dir, {});
    await releaseAll(again);
    expect([again.postgres, again.redis]).toEqual([other, ports.redis]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

it('[L1] a port promised to another part is not given away twice', async () => {
  const port = await anyFreePort();
  expect(await freePortFrom(port, { host: '127.0.0.1', taken: new Set([port]) })).not.toBe(port);
});

it('[L4] two who ask at the same moment are told different ports, none of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => anyFreePort()));
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('[L1] a second product that starts meanwhile is told other ports; the first one its own again', async () => {
  const dirs = ['a', 'b'].map((name) => mkdtempSync(join(tmpdir(), `seckill-ports-${name}-`)));
  try {
    const [first, second] = await Promise.all(dirs.map((dir) => assignPorts(dir, {})));
    for (const name of PARTS) expect(second[name], name).not.toBe(first[name]);
    await Promise.all([first, second].map(releaseAll));
    const again = await assignPorts(dirs[0], {});
    await releaseAll(again);
    for (const name of PARTS) expect(again[name], name).toBe(first[name]);
  } finally {
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  }
});

it('[L1] what is needed after a long build nobody else is given meanwhile', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-ports-'));
  try {
    const wanted = [await anyFreePort(), await anyFreePort(), await anyFreePort()];
    const [PORT, EXECUTOR_PORT, METRICS_PORT] = wanted.map(String);
    const areFree = () => Promise.all(wanted.map((port) => isFree(port, '127.0.0.1')));
    const ports = await assignPorts(dir, { PORT, EXECUTOR_PORT, METRICS_PORT });
    wanted.push(ports.postgres, ports.redis);
    expect(await areFree()).toEqual(Array(5).fill(false));
    await releaseAll(ports);
    expect(await areFree()).toEqual(Array(5).fill(true));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
