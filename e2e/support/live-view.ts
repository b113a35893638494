import { expect, type Page } from '@playwright/test';
import { demoMerchant } from './accounts';
import { ALL_HOLD } from './all-hold';

/** Opens the live view of a sale as the demo's merchant and waits for its first figures. */
export async function openAdmin(page: Page, saleId: string): Promise<void> {
  await page.context().addCookies((await demoMerchant()).browserCookies());
  await page.goto(`/admin/sales/${saleId}`);
  await expect(page.getByText(ALL_HOLD)).toBeVisible();
}

/** Waits until the live view hears of the sale by itself. */
export const isLive = (page: Page) => expect(page.getByText(/^Live, as of/)).toBeVisible();
