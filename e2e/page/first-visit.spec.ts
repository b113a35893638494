import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { visit } from '../support/first-visit';
import { newSale } from '../support/sales';
import { buyButton, buyLink, useSession } from '../support/shop';

/** The most that the sale page's scripts may weigh. React, React DOM and Next's router alone are 116 KB of them; what is left is ours. */
const SCRIPT_BYTES = 168_900;
/** The most that the page itself may weigh, compressed: a crowd loads it. Half of it are its messages. */
const PAGE_BYTES = 15_000;

test('[A1] a visitor and a shopper who is signed in get a sale page of few bytes', async ({
  page,
  context,
}) => {
  const [shopper, { slug }] = await Promise.all([newShopper(), newSale()]);
  const path = `/sales/${slug}`;
  const visitor = await visit(page, path, () => buyLink(page, 'Sign in to buy').waitFor());
  expect(visitor.scriptBytes).toBeGreaterThan(116_000);
  expect(visitor.scriptBytes).toBeLessThan(SCRIPT_BYTES);
  await useSession(context, shopper);
  const signedIn = await visit(page, path, () => buyButton(page, 'Buy now').waitFor());
  expect(signedIn.scriptBytes).toBeLessThan(SCRIPT_BYTES);
});

for (const path of ['', '/zh-CN'])
  test(`[A1] a sale page is small before its scripts: ${path || '/'}`, async () => {
    const { slug } = await newSale();
    const { status, headers } = await new Client().get(`${path}/sales/${slug}`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(status).toBe(200);
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(Number(headers.get('content-length'))).toBeGreaterThan(5_000);
    expect(Number(headers.get('content-length'))).toBeLessThan(PAGE_BYTES);
  });
