import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { mailsOf } from '../support/mails';
import { tellNothing } from '../support/received';
import { newSale } from '../support/sales';
import { buyOnPage, goToPayment, heading, useSession } from '../support/shop';

test('[I1 I3 I9 L4] who has paid is told so, gets points and a mail, and sees what happened @desktop', async ({
  page,
}) => {
  const shopper = await newShopper();
  const { slug, title } = await newSale({ priceMinor: 4290 });
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await buyOnPage(page);
  const [bought] = (await shopper.client.get('/api/orders')).body.orders as { orderNo: string }[];
  await tellNothing(bought?.orderNo ?? '');
  await goToPayment(page);
  await page.getByRole('main').getByRole('button', { name: 'Pay €42.90' }).click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();

  const story = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
  await expect(story).toContainText([
    'You bought it.',
    'Your order was written; the time to pay started.',
    'Your payment of €42.90 arrived.',
  ]);
  const orderNo = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  // The bell shows the notice without a reload.
  const bell = page.getByRole('link', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications, 1 new', { timeout: 150_000 });
  await bell.click();
  await expect(heading(page, 'Notifications')).toBeVisible();
  const notice = page.getByRole('listitem').filter({ hasText: `Paid: ${title}` });
  await expect(notice).toContainText('We received €42.90. It is yours.');
  await expect(notice).toContainText('New');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(bell).toHaveAccessibleName('Notifications');
  await notice.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/orders/${orderNo}$`));

  await page.getByRole('link', { name: 'All my orders' }).click();
  await expect(page.getByText('You have 42 points')).toBeVisible({ timeout: 150_000 });

  await expect.poll(() => [...mailsOf(orderNo).keys()]).toEqual([`order_paid-${orderNo}.eml`]);
  const [mail = ''] = mailsOf(orderNo).values();
  expect(mail).toContain(`To: ${shopper.email}`);
  expect(mail).toContain(`Paid: ${title}`);
  expect(mail).toContain(`/orders/${orderNo}`);

  // The merchant refunds: the shopper gets another notice, the points are gone, the order's story goes on.
  const merchant = await demoMerchant();
  const refunded = await merchant.post(`/api/admin/orders/${orderNo}/refund`, {
    reason: 'scratched',
    returnStock: true,
  });
  expect(refunded.status, refunded.text).toBe(200);
  await expect
    .poll(async () => (await shopper.client.get('/api/points')).body.balance, { timeout: 150_000 })
    .toBe(0);
  await page.goto(`/orders/${orderNo}`);
  await expect(heading(page, 'Refunded')).toBeVisible();
  await expect(story.last()).toHaveText(/€42\.90 went back to you\.$/, { timeout: 150_000 });
  await page.goto('/zh-CN/notifications');
  // The page asks every 15 s; a notice written just after it was opened comes with the next answer.
  const refund = page.getByRole('listitem').filter({ hasText: `已退款：${title}` });
  await expect(refund).toBeVisible({ timeout: 150_000 });
});
