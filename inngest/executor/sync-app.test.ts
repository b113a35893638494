import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '@/test/support/eventually';
import { keepSynced } from './sync-app';

/** Follows an app that can't register anything. @returns what was logged as a warning */
async function follow(startMs: number) {
  let asked = 0;
  const warned: object[] = [];
  const app = createServer((request, response) => {
    asked += 1;
    request.resume();
    response.writeHead(500).end('starting');
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const log = { info: () => {}, error: () => {}, warn: (fields: object) => void warned.push(fields) };
  const stop = keepSynced(origin, 'signkey-test-00', log, startMs);
  await eventually(() => expect(asked).toBeGreaterThanOrEqual(3));
  stop();
  app.close();
  return warned;
}

it('[L1] an app that is still starting is no warning; one that does not come up is one, once', async () => {
  expect(await follow(3_600_000)).toEqual([]);
  expect(await follow(0)).toEqual([{ app: expect.any(String), problem: '500 starting' }]);
});
