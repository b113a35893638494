import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { problem } from './problem';
import { currentRequestId, withRequestId } from './request-id';
import { route } from './route';

it('[J2] a request has one id from its beginning to its end, another one has another', async () => {
  expect(currentRequestId()).toBeUndefined();
  const request = () =>
    withRequestId(async () => {
      const first = currentRequestId();
      await turn();
      expect(currentRequestId()).toBe(first);
      return first;
    });
  const [one, other] = await Promise.all([request(), request()]);
  expect(one).toMatch(/^[0-9a-f-]{36}$/);
  expect(other).not.toBe(one);
  expect(currentRequestId()).toBeUndefined();
});

it('[J2] a refusal and a failure name the id that the log has', async () => {
  let logged: string | undefined;
  const call = (handler: () => Promise<Response>) =>
    route(handler)(new Request('http://shop.test/api/x'), { params: Promise.resolve({}) });
  const refused = await call(async () => {
    logged = currentRequestId();
    return problem('NOT_FOUND');
  });
  expect(await refused.json()).toMatchObject({ code: 'NOT_FOUND', requestId: logged });
  const failed = await call(async () => {
    logged = currentRequestId();
    throw new Error('a bug');
  });
  expect(await failed.json()).toMatchObject({ code: 'INTERNAL', requestId: logged });
});
