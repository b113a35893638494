import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { newCampaign } from '../support/campaigns';
import { buy, newSale, pay } from '../support/sales';
import { heading, useSession } from '../support/shop';

test('[O11] a merchant sees what a sale took: on its page, in the list, in its campaign, by day and by sale, and as a file', async ({
  page,
  context,
}) => {
  const [paying, waiting, merchant, campaign] = await Promise.all([
    newShopper(),
    newShopper(),
    demoMerchant(),
    newCampaign(),
  ]);
  const { saleId, title } = await newSale({ priceMinor: 4217, campaignId: campaign.campaignId });
  await pay(paying, await buy(paying, saleId));
  await buy(waiting, saleId);
  await useSession(context, { client: merchant });

  for (const path of [`/admin/sales/${saleId}`, `/admin/campaigns/${campaign.campaignId}`]) {
    await page.goto(path);
    const card = page.getByRole('heading', { name: 'Money in EUR' }).locator('..');
    for (const [label, amount] of [
      ['Taken', '€42.17'],
      ['Refunded', '€0.00'],
      ['Kept', '€42.17'],
      ['To be paid', '€42.17'],
      ['Paid orders', '1'],
      ['On average', '€42.17'],
    ] as const)
      await expect(card.locator(`dt:has-text("${label}") + dd`)).toHaveText(amount);
  }

  await page.goto(`/admin/sales?q=${encodeURIComponent(title)}`);
  await expect(page.getByRole('row', { name: title }).getByRole('cell').last()).toHaveText('€42.17');
  await expect(page.getByRole('heading', { name: 'Last 30 days in EUR' })).toBeVisible();

  await page.getByRole('link', { name: 'Money', exact: true }).click();
  await expect(heading(page, 'Money')).toBeVisible();
  const today = new Date().toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });
  await expect(page.getByRole('row', { name: today }).first()).toContainText('€');
  await page.getByLabel('By', { exact: true }).selectOption('sale');
  const row = page.getByRole('row', { name: title });
  await expect(row.getByRole('cell')).toHaveText(['1', '€42.17', '€0.00', '€42.17', '€42.17']);
  await expectAccessible(page, 'money');

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  const stream = await file.createReadStream();
  const text = (await stream.toArray()).join('');
  expect(text).toContain(`,${saleId},${title},EUR,1,42.17,0.00,42.17,42.17\r\n`);
});
