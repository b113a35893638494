import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { bestOf } from '../../test/support/best-of';
import { demoMerchant } from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { comeAgain } from '../support/client';
import { fastPathSecret } from '../support/fast-path-secret';
import { newSale, stateOf } from '../support/sales';

/** Follows a sale's events over plain HTTP, and again when the server ends the stream, as an EventSource does. */
async function openEvents(saleId: string, secret?: string) {
  const controller = new AbortController();
  const open = () =>
    comeAgain(() =>
      fetch(`${baseUrl}/api/sales/${saleId}/events`, {
        signal: controller.signal,
        headers: secret === undefined ? {} : { 'x-seckill-lane': secret },
      }),
    );
  const readerOf = ({ body }: Response) => body?.pipeThrough(new TextDecoderStream()).getReader();
  const response = await open();
  let reader = readerOf(response);
  let text = '';
  return {
    response,
    text: () => text,
    /** Reads until a state with one of these statuses has come. */
    async until(...statuses: string[]): Promise<Record<string, unknown>> {
      for (;;) {
        const events = [...text.matchAll(/^data: (\{.*\})\n\n/gm)].map(([, json = '']) => JSON.parse(json));
        const found = events.find((event) => statuses.includes(event.status));
        if (found) return found;
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (!done) text += value;
        else {
          await setTimeout(Number(/retry: (\d+)/.exec(text)?.[1]));
          reader = readerOf(await open());
        }
      }
    },
    close: () => controller.abort(),
  };
}

for (const server of ['the fast path', 'Next'] as const) {
  test(`[A3] events come as they happen, by ${server}`, async () => {
    const merchant = await demoMerchant();
    const { saleId } = await newSale();
    const events = await openEvents(saleId, server === 'Next' ? fastPathSecret() : undefined);
    expect(events.response.status).toBe(200);
    expect(events.response.headers.get('content-type')).toBe('text/event-stream');
    expect(events.response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(events.response.headers.get('x-accel-buffering')).toBe('no');
    expect(events.response.headers.get('content-encoding')).toBeNull();
    expect(events.response.headers.get('x-content-type-options')).toBe('nosniff');

    const { serverTime: _, ...first } = await events.until('live');
    const { serverTime: __, ...state } = await stateOf(saleId);
    expect(first).toEqual(state);
    expect(events.text()).toMatch(/^retry: \d{3,4}\ndata: /);
    await merchant.post(`/api/admin/sales/${saleId}/pause`);
    expect(await events.until('paused')).toMatchObject({ gate: null });
    await merchant.post(`/api/admin/sales/${saleId}/close`);
    await events.until('ended');
    events.close();
  });

  test(`[A3 A4] the gate comes at the start and not before, by ${server}`, async () => {
    test.setTimeout(900_000);
    let aheadMs = 2500;
    const open = async () => {
      const startsAt = Date.now() + aheadMs;
      aheadMs = Math.min(aheadMs * 2, 20_000);
      const { saleId } = await newSale({ startsAt });
      const events = await openEvents(saleId, server === 'Next' ? fastPathSecret() : undefined);
      // On a busy machine the sale may start before the first event.
      if ((await events.until('scheduled', 'live')).status === 'live') {
        events.close();
        return Number.POSITIVE_INFINITY;
      }
      expect(events.text()).not.toContain('"gate":"');
      const { gate, serverTime } = await events.until('live');
      expect(gate).toBeTruthy();
      expect(Number(serverTime)).toBeGreaterThanOrEqual(startsAt);
      events.close();
      return Date.now() - startsAt;
    };
    expect(await bestOf(1000, open, 10)).toBeLessThan(1000);
  });
}

test('[A3] a HEAD opens no stream', async () => {
  const { saleId } = await newSale();
  const head = (id: string) =>
    comeAgain(() => fetch(`${baseUrl}/api/sales/${id}/events`, { method: 'HEAD' }));
  const answer = await head(saleId);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(await answer.text()).toBe('');
  expect((await head('nowhere')).status).toBe(404);
});
