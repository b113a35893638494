import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { parseEnv } from './env';
import { explain } from './start-or-explain';

const NAMES = { host: 'SECKILL_HOST', port: 'PORT' };

/** Tries to listen, and returns why that failed. */
async function whyNot(port: number, host?: string): Promise<unknown> {
  const [error] = await once(createServer().listen(port, host), 'error');
  return error;
}

it('[K5] says which setting to change where a process cannot listen', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(explain(await whyNot(port, '127.0.0.1'), NAMES)).toBe(
    `Port ${port} at 127.0.0.1 is taken: set PORT to another port.`,
  );
  other.close();
  // An address for documents: no machine has it.
  expect(explain(await whyNot(0, '192.0.2.1'), NAMES)).toBe(
    '192.0.2.1 is no address of this machine: correct SECKILL_HOST.',
  );
});

it('[K5] lists wrong settings, and leaves every other error as it is', async () => {
  try {
    parseEnv({});
    expect.unreachable();
  } catch (error) {
    expect(explain(error, NAMES)).toMatch(/^These environment variables .*\n {2}DATABASE_URL: is not set\n/);
  }
  const [refused] = await once(connect(9, '127.0.0.1'), 'error');
  for (const error of [refused, new TypeError('x is not a function'), 'text', undefined])
    expect(explain(error, NAMES)).toBeUndefined();
});
