import { afterAll, expect, it } from 'vitest';
import { closeSale } from '@/lib/admin/sales/close-sale';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { closeRedis } from '@/lib/redis/client';
import { makeDraft, makeSale } from '@/test/support/make-sale';
import { GET } from './[saleId]/calendar.ics/route';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HOUR_MS = 3_600_000;
const ask = (saleId: string, query = '') =>
  GET(new Request(`http://shop.test/api/sales/${saleId}/calendar.ics${query}`), {
    params: Promise.resolve({ saleId }),
  });

it('[O10] gives a sale to calendars, in the language that is asked for', async () => {
  const startsAt = Date.now() + HOUR_MS;
  const { sale } = await makeSale({ title: 'Lamp, red', startsAt, endsAt: startsAt + HOUR_MS });
  const answer = await ask(sale.saleId, '?locale=zh-CN');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${sale.slug}.ics"`);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  const text = (await answer.text()).replaceAll('\r\n ', '');
  const { hostname } = new URL(env().publicUrl);
  expect(text).toContain(`\r\nUID:${sale.saleId}@${hostname}\r\nSEQUENCE:${sale.version}\r\n`);
  expect(text).toContain('\r\nSUMMARY:Lamp\\, red\r\n');
  expect(text).toContain(`\r\nURL:${new URL(`/zh-CN/sales/${sale.slug}`, env().publicUrl).href}\r\n`);
});

it('[O10 N11] refuses drafts, unknown and ended sales, and languages the shop does not speak', async () => {
  const { sale: draft } = await makeDraft();
  for (const saleId of [draft.saleId, 'sale_none', 'x'.repeat(10_000), '%00']) {
    const answer = await ask(saleId);
    expect([answer.status, (await answer.json()).code], saleId.slice(0, 40)).toEqual([404, 'SALE_NOT_FOUND']);
  }
  const { sale, merchant } = await makeSale();
  expect((await ask(sale.saleId, '?locale=xx')).status).toBe(422);
  expect((await ask(sale.saleId)).status).toBe(200);
  await closeSale(merchant, sale.saleId);
  const answer = await ask(sale.saleId);
  expect([answer.status, (await answer.json()).code]).toEqual([410, 'SALE_ENDED']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});
