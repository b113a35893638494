import { afterAll, beforeEach, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { makeDraft, makeSale } from '@/test/support/make-sale';
import { listAddresses } from './list-addresses';
import { toSitemap } from './to-sitemap';

beforeEach(async () => {
  await db().$executeRaw`TRUNCATE sales CASCADE`;
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

it('[O9] the sitemap names what is published in every language, and no draft', async () => {
  const {
    sale: { slug },
  } = await makeSale({ title: 'A' });
  const { sale: draft } = await makeDraft();
  const text = toSitemap(await listAddresses(), 'https://shop.test');
  expect(text.match(/<loc>[^<]*<\/loc>/g)).toEqual([
    '<loc>https://shop.test/</loc>',
    '<loc>https://shop.test/zh-CN</loc>',
    '<loc>https://shop.test/zh-TW</loc>',
    '<loc>https://shop.test/ru</loc>',
    `<loc>https://shop.test/sales/${slug}</loc>`,
    `<loc>https://shop.test/zh-CN/sales/${slug}</loc>`,
    `<loc>https://shop.test/zh-TW/sales/${slug}</loc>`,
    `<loc>https://shop.test/ru/sales/${slug}</loc>`,
  ]);
  expect(text).toContain(`hreflang="x-default" href="https://shop.test/sales/${slug}"`);
  expect(text).toContain(`hreflang="zh-TW" href="https://shop.test/zh-TW/sales/${slug}"`);
  expect(text).not.toContain(draft.slug);
});
