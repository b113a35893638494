import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { pageToken } from '@/lib/payment/providers/sandbox/page-token';
import { closeRedis } from '@/lib/redis/client';
import { createWebServer } from './create-server';
import { rawGet } from './testing/raw-get';

/** Every page fails, so that each request writes a line to the log. */
const web = createWebServer({
  next: () => Promise.reject(new Error('the page is broken')),
  hasFastPath: true,
  commonHeaders: [],
});

afterAll(async () => {
  web.closeAll();
  await new Promise((resolve) => web.server.close(resolve));
  await Promise.all([closeRedis(), closeDb()]);
});

it('[J2] what an address carries to open a page reaches no line of the log', async () => {
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
  const lines: string[] = [];
  const { level } = log;
  log.level = 'error';
  const write = vi.spyOn(fs, 'writeSync').mockImplementation((_fd: number, data: unknown) => {
    lines.push(String(data));
    return Buffer.byteLength(String(data));
  });
  const token = pageToken('pay_1');
  const page = `/pay/sandbox/pay_1?token=${token}&return=/orders/1`;
  try {
    for (const path of [
      page,
      `/signin?callbackUrl=${encodeURIComponent(page)}`,
      '/signin?email=jane%40example.com',
    ])
      expect((await rawGet(`${origin}${path}`)).status).toBe(500);
  } finally {
    write.mockRestore();
    log.level = level;
  }
  const failed = lines.filter((line) => line.includes('Next failed'));
  expect(failed).toHaveLength(3);
  expect(failed[0]).toContain('"path":"/pay/sandbox/pay_1?token=[hidden]&return=/orders/1"');
  expect(lines.join('')).not.toContain(token);
  expect(lines.join('')).not.toContain('jane');
});
