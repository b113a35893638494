import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { newSale } from '../support/sales';
import { useSession } from '../support/shop';
import { Client } from '../support/client';

const H = 3_600_000;
test('shots', async ({ browser }) => {
  test.setTimeout(240_000);
  const now = Date.now();
  const w = (o: number, c: number) => ({ startsAt: now + 26 * H, endsAt: now + 28 * H, title: 'Nimbus desk lamp', totalStock: 300, reservation: { opensAt: now + o, closesAt: now + c } });
  const [shopper, extra, open, soon, over, mine] = await Promise.all([newShopper(), newShopper(), newSale(w(-H, 20 * H)), newSale(w(5 * H, 20 * H)), newSale(w(-2 * H, -H)), newSale(w(-H, 20 * H))]);
  for (const s of [shopper, extra]) await s.client.post(`/api/sales/${mine.saleId}/reservation`);
  const merchant = await new Client().signIn('merchant@example.com', 'demo-password');
  for (const [name, viewport] of [['phone', { width: 375, height: 812 }], ['desktop', { width: 1280, height: 800 }]] as const) {
    for (const scheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme: scheme, locale: 'en-US', timezoneId: 'UTC' });
      const page = await context.newPage();
      const shot = async (id: string, path: string, text: RegExp) => {
        await page.goto(path);
        await expect(page.getByText(text).first()).toBeVisible();
        await page.waitForLoadState('networkidle').catch(() => {});
        await page.screenshot({ path: `/tmp/shots/${id}-${name}-${scheme}.png` });
      };
      await shot('signin', `/sales/${open.slug}`, /Sign in to reserve/);
      await useSession(context, shopper);
      await shot('reserve', `/sales/${open.slug}`, /Reserve until/);
      await shot('reserved', `/sales/${mine.slug}`, /Come back/);
      await shot('soon', `/sales/${soon.slug}`, /Reserving opens/);
      await shot('over', `/sales/${over.slug}`, /Reserving ended/);
      await shot('zh', `/zh-CN/sales/${mine.slug}`, /预约成功/);
      await context.clearCookies();
      await useSession(context, { client: merchant });
      await shot('desk', `/admin/sales/${mine.saleId}`, /invariants hold/);
      if (scheme === 'light') {
        await page.goto('/admin/sales');
        await page.getByRole('button', { name: 'New sale' }).click();
        await page.getByLabel('Reservations open').scrollIntoViewIfNeeded();
        await page.screenshot({ path: `/tmp/shots/form-${name}-${scheme}.png` });
      }
      await context.close();
    }
  }
});
