import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { createWebServer } from './create-server';
import { drain } from './drain';
import { standInForNext } from './testing/stand-in-next';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

describe('a drain', () => {
  it('[J5 E10] ends the streams of events that Next answers, instead of waiting for them', async () => {
    let isLeft = false;
    const upstream = await standInForNext((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      response.once('close', () => {
        isLeft = true;
      });
    });
    const web = createWebServer({ next: upstream.forward, hasFastPath: true, commonHeaders: [] });
    await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
    const { port } = web.server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/api/admin/sales/x/live/events`, {
      headers: { accept: 'text/event-stream' },
    });
    const text = answer.text();
    // Longer than the test may take: the server cuts nothing off, the stream ends as it should.
    await drain(web, { withinMs: 600_000 });
    expect(await text).toBe('data: 1\n\n');
    await expect.poll(() => isLeft).toBe(true);
    upstream.close();
  });
});
