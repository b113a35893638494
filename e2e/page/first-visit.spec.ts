import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { visit } from '../support/first-visit';
import { newSale } from '../support/sales';
import { buyButton, buyLink, useSession } from '../support/shop';

/** The most that the sale page's scripts may weigh. React, React DOM and Next's router alone are 116 KB of them; what is left is ours. */
const SCRIPT_BYTES = 168_700;

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
