import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createWebServer, type WebServer } from './create-server';
import type { DirectRoute } from './direct-routes';
import { standInForNext } from './testing/stand-in-next';

const waiting: (() => void)[] = [];
const finish = () => {
  for (const tell of waiting.splice(0)) tell();
};
const slow: DirectRoute = {
  method: 'GET',
  path: '/api/slow',
  answer: () =>
    new Promise((resolve) => waiting.push(() => resolve({ status: 200, headers: {}, body: 'slow' }))),
};
const echo: DirectRoute = {
  method: 'POST',
  path: '/api/echo/{what}',
  answer: async ({ body, headers }, { what }) =>
    Response.json({ body, what, own: headers.get('X-Own') }, { headers: { 'set-cookie': 'a=b' } }),
};
const broken: DirectRoute = {
  method: 'GET',
  path: '/api/broken',
  answer: async () => {
    throw new Error('a bug');
  },
};
const next = await standInForNext((request, response) => {
  request.resume();
  response.writeHead(418, { 'content-length': 0 });
  response.end();
});
/** @param waitMs how long a client may wait for its turn */
async function open(waitMs: number, hasPlainHttp: boolean): Promise<{ web: WebServer; origin: string }> {
  const web = createWebServer({
    hasPlainHttp,
    next: next.forward,
    direct: [slow, echo, broken],
    hasFastPath: true,
    commonHeaders: ['X-Common', 'yes'],
    limits: { direct: { atOnce: 3, atOnceOfClient: 2, waiting: 2, waitingOfClient: 1, waitMs } },
  });
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  return { web, origin: `http://127.0.0.1:${(web.server.address() as AddressInfo).port}` };
}
const readers = await Promise.all(
  [true, false].map(async (isPlain) => ({
    reader: isPlain ? 'the plain reader' : 'node:http',
    patient: await open(60_000, isPlain),
    hasty: await open(200, isPlain),
  })),
);

/** Sends away those who hung up in an earlier test and still wait. */
beforeEach(finish);
afterAll(() => {
  for (const { web } of readers.flatMap(({ patient, hasty }) => [patient, hasty])) {
    web.closeAll();
    web.server.close();
  }
  next.close();
});

/** Takes the one place in the queue as soon as it is free. @returns how to hang up */
async function waitInLine(origin: string): Promise<() => void> {
  const port = Number(new URL(origin).port);
  const ask = async () => {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    let isRefused = false;
    const refused = once(socket, 'data').then(() => {
      isRefused = true;
    });
    refused.catch(() => {});
    socket.write('GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return { socket, refused, isRefused: () => isRefused };
  };
  for (;;) {
    const first = await ask();
    // Later requests are refused as long as the first one has the place, or is refused itself a moment before.
    for (let nth = 0; nth < 3 && !first.isRefused(); nth += 1) {
      const later = await ask();
      await Promise.race([first.refused, later.refused]);
      later.socket.destroy();
    }
    if (!first.isRefused()) return () => first.socket.resetAndDestroy();
    first.socket.destroy();
  }
}

const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

describe.each(readers)(
  'what our server answers itself, read by $reader',
  ({ patient: { origin }, hasty }) => {
    it('[L3] gets headers, parameters and body, and answers with the headers of every answer', async () => {
      const answer = await fetch(`${origin}/api/echo/me`, {
        method: 'POST',
        headers: { 'x-own': 'mine' },
        body: 'é',
      });
      expect([answer.status, answer.headers.get('x-common'), answer.headers.getSetCookie()]).toEqual([
        200,
        'yes',
        ['a=b'],
      ]);
      expect(await answer.json()).toEqual({ body: 'é', what: 'me', own: 'mine' });
    });

    it('[L3] is not what another method or spelling asks for', async () => {
      for (const [method, path] of [
        ['GET', '/api/echo/me'],
        ['HEAD', '/api/broken'],
        ['POST', '/api/echo/%6de'],
      ] as const)
        expect((await fetch(origin + path, { method })).status, `${method} ${path}`).toBe(418);
      expect((await fetch(`${origin}/api/echo/me/`, { method: 'POST' })).status).toBe(404);
    });

    it('[L3] a body that is too large is 413, and a bug is 500 that says nothing', async () => {
      const big = await fetch(`${origin}/api/echo/me`, { method: 'POST', body: 'x'.repeat(20_000) });
      expect([big.status, await codeOf(big)]).toEqual([413, 'TOO_LARGE']);
      const failed = await fetch(`${origin}/api/broken`);
      expect(failed.status).toBe(500);
      expect(await failed.text()).not.toContain('a bug');
    });

    it('[G14 J1] clients take turns: who has too much waiting is told so, and a place is free again after an answer', async () => {
      const refused: Response[] = [];
      const answers = Array.from({ length: 5 }, async () => {
        const answer = await fetch(`${origin}/api/slow`);
        if (answer.status !== 200) refused.push(answer);
        return answer;
      });
      // All five have arrived before a place is free again.
      await expect.poll(() => [waiting.length, refused.length]).toEqual([2, 2]);
      for (const each of refused) {
        expect([each.status, await codeOf(each)]).toEqual([429, 'RATE_LIMITED']);
        expect(each.headers.get('retry-after')).toBe('1');
      }
      finish();
      await expect.poll(() => waiting.length).toBe(1);
      finish();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429]);
    });

    it('[G14] who waits too long is told to come again', async () => {
      const first = Array.from({ length: 2 }, () => fetch(`${hasty.origin}/api/slow`));
      await expect.poll(() => waiting.length).toBe(2);
      const third = await fetch(`${hasty.origin}/api/slow`);
      expect([third.status, await codeOf(third)]).toEqual([503, 'UNAVAILABLE']);
      finish();
      await Promise.all(first);
    });

    it('[G14] who leaves gives the place back', async () => {
      const first = Array.from({ length: 2 }, () => fetch(`${origin}/api/slow`));
      await expect.poll(() => waiting.length).toBe(2);
      const leave = await waitInLine(origin);
      expect((await fetch(`${origin}/api/slow`)).status).toBe(429);
      leave();
      const again = await waitInLine(origin);
      again();
      finish();
      await Promise.all(first);
    });
  },
);
