import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assignPorts } from './assign-ports.mjs';
import { anyFreePort } from './ports.mjs';

let dir;
let taken;
let server;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seckill-ports-'));
  server = createServer();
  taken = await anyFreePort();
  await new Promise((resolve) => server.listen(taken, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(dir, { recursive: true, force: true });
});

async function assign(env) {
  const ports = await assignPorts(dir, { PORT: String(await anyFreePort()), ...env });
  await Promise.all(['web', 'postgres', 'redis', 'executor', 'metrics'].map((name) => ports.release(name)));
  return ports;
}

it('[L1] a port asked for the executor that is taken is told at once, with one that is not', async () => {
  await expect(assign({ EXECUTOR_PORT: String(taken) })).rejects.toThrow(
    new RegExp(`^EXECUTOR_PORT=${taken} is taken: use another, e\\.g\\. EXECUTOR_PORT=\\d+, or unset it\\.$`),
  );
  const web = String(await anyFreePort());
  await expect(assign({ PORT: web, EXECUTOR_PORT: web })).rejects.toThrow(`EXECUTOR_PORT=${web} is taken`);
  const free = await anyFreePort();
  expect((await assign({ EXECUTOR_PORT: String(free) })).executor).toBe(free);
});

it('[L1] nobody minds it where Inngest runs elsewhere, and a taken METRICS_PORT is asked for again later', async () => {
  const elsewhere = { EXECUTOR_PORT: String(taken), INNGEST_BASE_URL: 'https://inngest.example.com' };
  expect((await assign(elsewhere)).executor).toBe(taken);
  expect((await assign({ METRICS_PORT: String(taken) })).metrics).toBe(taken);
});
