import { expect, test } from '@playwright/test';
import { demoMerchant } from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { askAgain } from '../support/client';
import { fastPathSecret } from '../support/fast-path-secret';
import { openEvents, openEventsEarly } from '../support/sale-events';
import { newSale, stateOf } from '../support/sales';

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

  test(`[A3 A4] the gate comes with the start and not before, by ${server}`, async () => {
    const { events, startsAt } = await openEventsEarly(server === 'Next' ? fastPathSecret() : undefined);
    expect(events.text()).not.toContain('"gate":"');
    const { gate, serverTime } = await events.until('live');
    expect(gate).toBeTruthy();
    expect(Number(serverTime)).toBeGreaterThanOrEqual(startsAt);
    expect(Date.now()).toBeGreaterThanOrEqual(startsAt);
    events.close();
  });
}

test('[A3] a HEAD opens no stream', async () => {
  const { saleId } = await newSale();
  const head = (id: string) => askAgain(() => fetch(`${baseUrl}/api/sales/${id}/events`, { method: 'HEAD' }));
  const answer = await head(saleId);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(await answer.text()).toBe('');
  expect((await head('nowhere')).status).toBe(404);
});
