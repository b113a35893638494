import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assignPorts } from './assign-ports.mjs';
import { anyFreePort, freePortFrom } from './ports.mjs';

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
  // Taken by somebody else is as good.
  const server = await listening(3000).catch(() => undefined);
  try {
    const ports = await assignPorts(dir, {});
    expect(ports.web).toBeGreaterThan(3000);
    expect(ports.note).toBe(`3000 is taken, so ${ports.web}`);
    const again = await assignPorts(dir, {});
    expect(again.postgres).toBe(ports.postgres);
    const inUse = await listening(ports.postgres);
    expect((await assignPorts(dir, {})).postgres).not.toBe(ports.postgres);
    inUse.close();
  } finally {
    server?.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

it('[L1] a port promised to another part is not given away twice', async () => {
  const port = await anyFreePort();
  expect(await freePortFrom(port, { host: '127.0.0.1', taken: new Set([port]) })).not.toBe(port);
});
