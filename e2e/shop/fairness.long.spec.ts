import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { newSale } from '../support/sales';
import { buyLink, buyOnPage, heading, useSession } from '../support/shop';

test('[M4] buys, downloads the receipt, and checks it on the page; a changed one is refused', async ({
  page,
  context,
}) => {
  const shopper = await newShopper();
  const { slug, saleId } = await newSale();
  await useSession(context, shopper);
  await page.goto(`/sales/${slug}`);
  await buyOnPage(page);
  await buyLink(page, /^Pay within/).click();
  const link = page.getByRole('link', { name: 'Download the receipt' });
  await expect(link).toBeVisible();
  await expect
    .poll(async () => (await shopper.client.get(`/api/sales/${saleId}/log/receipt`)).status)
    .toBe(200);
  const downloading = page.waitForEvent('download');
  await link.click();
  const receipt = readFileSync(await (await downloading).path(), 'utf8');

  await page.getByRole('link', { name: 'Check a receipt' }).click();
  await expect(heading(page, 'Check a proof of fairness')).toBeVisible();
  await page.getByLabel('Choose the receipt').setInputFiles({
    name: 'receipt.json',
    mimeType: 'application/json',
    buffer: Buffer.from(receipt),
  });
  await expect(page.getByText('The proof is good.')).toBeVisible();
  await expect(page.getByText('Purchase accepted')).toBeVisible();
  await expectAccessible(page, 'a good proof');

  const paste = page.getByLabel('Or paste its text');
  await paste.fill(receipt.replace('\\"units\\":1', '\\"units\\":2'));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('This receipt is not good.')).toBeVisible();
  await expect(page.getByText('the receipt was changed')).toBeVisible();
  await expectAccessible(page, 'a refused receipt');

  await paste.fill('nonsense');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('This is no receipt')).toBeVisible();
});

test('[M4] anybody reads heads, proofs and the log; nonsense, huge numbers and other people get clear answers', async () => {
  const [shopper, other] = await Promise.all([newShopper(), newShopper()]);
  const { saleId } = await newSale();
  const anybody = new Client();
  const code = async (path: string, client: Client = anybody) => {
    const { status, body } = await client.get(path);
    return `${status} ${(body as { code?: string }).code ?? ''}`.trim();
  };
  const at = `/api/sales/${saleId}/log`;
  expect(await code(`${at}/heads`)).toBe('200');
  expect(await code('/api/log-keys')).toBe('200');
  expect(await code('/api/sales/sale_nowhere/log/heads')).toBe('404 SALE_NOT_FOUND');
  expect(await code(`${at}/heads?cursor=bm9uc2Vuc2U`)).toBe('422 VALIDATION');
  for (const query of [
    '',
    '?from=1',
    '?from=x&to=y',
    '?from=0&to=1',
    '?from=-1&to=2',
    '?from=1.5&to=2',
    `?from=1&to=${'9'.repeat(30)}`,
  ])
    expect(await code(`${at}/consistency${query}`), query).toBe('422 VALIDATION');
  expect(await code(`${at}/consistency?from=1&to=1000000`)).toBe('404 LOG_SIZE_UNKNOWN');
  expect(await code(`${at}/leaves`)).toBe('404 LOG_SIZE_UNKNOWN');
  expect(await code(`${at}/leaves?size=99`)).toBe('404 LOG_SIZE_UNKNOWN');
  expect(await code(`${at}/leaves?size=x`)).toBe('422 VALIDATION');
  expect(await code(`${at}/receipt`)).toBe('401 UNAUTHENTICATED');
  for (const client of [shopper.client, other.client])
    expect(await code(`${at}/receipt`, client)).toBe('404 RECEIPT_NOT_READY');
  expect(await code('/api/sales/sale_nowhere/log/receipt', shopper.client)).toBe('404 RECEIPT_NOT_READY');
  expect(await code(`/api/admin/sales/${saleId}/log`, shopper.client)).toBe('403 FORBIDDEN');
  expect(await code(`/api/admin/sales/${saleId}/receipt?user=x`, shopper.client)).toBe('403 FORBIDDEN');
});
