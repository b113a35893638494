import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper, newStaff } from '../support/accounts';
import { type Answer, Client } from '../support/client';
import { lostOf } from '../support/lost';
import { buy, enter, gateOf, newSale, purchase } from '../support/sales';
import { heading, useSession } from '../support/shop';

/**
 * Makes a sale of one unit that another shopper bought first; another one where an answer is lost on the way, which would be
 * told too.
 */
async function missed(): ReturnType<typeof tryToMiss> {
  for (;;) {
    const made = await tryToMiss();
    if (made.lost === 0) return made;
  }
}

async function tryToMiss() {
  const [winner, loser, sale] = await Promise.all([newShopper(), newShopper(), newSale({ totalStock: 1 })]);
  const [gate, token] = [await gateOf(sale.saleId), await enter(loser, sale.saleId)];
  const orderNo = await buy(winner, sale.saleId);
  const answers: Answer[] = [];
  for (let n = 0; n < 2; n += 1) answers.push(await purchase(sale.saleId, gate, token));
  for (const { status, text } of answers) expect(status, text).toBe(409);
  const made = { winner, loser, sale, orderNo, lost: lostOf(answers) };
  if (made.lost > 0) return made;
  const seen = async () => (await loser.client.get(`/api/sales/${sale.saleId}/why`)).body.attempts;
  await expect
    .poll(seen, { timeout: 120_000 })
    .toMatchObject([{ outcome: 'refused', code: 'SOLD_OUT', available: 0, times: 2 }]);
  return made;
}

test('[J5] a support agent answers “why not me”', async ({ page }) => {
  const [{ winner, loser, sale, orderNo }, support] = await Promise.all([missed(), newStaff('support')]);
  await useSession(page.context(), support);
  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Why not me?' }).click();
  await expect(heading(page, 'Why not me?')).toBeVisible();
  await page.getByLabel('Sale', { exact: true }).fill(sale.saleId);
  await page.getByLabel('E-mail or account').fill(loser.email);
  await page.getByRole('button', { name: 'Trace' }).click();
  await expect(
    page.getByText(
      /^They came .* after the start\. By then 1 piece had gone, the last .*, and none was left\./,
    ),
  ).toBeVisible();
  await expect(page.getByText('not conspicuous')).toBeVisible();
  await expect(page.getByText('2 times, the last')).toBeVisible();
  await expect(page).toHaveURL(/user=/);

  await page.getByLabel('E-mail or account').fill(winner.email);
  await page.getByRole('button', { name: 'Trace' }).click();
  await expect(page.getByText(`: order ${orderNo}.`)).toBeVisible();
  await page.getByRole('link', { name: `Order ${orderNo}` }).click();
  await expect(heading(page, `Order ${orderNo}`)).toBeVisible();

  // Goes back, with the question in the address.
  await page.getByRole('link', { name: 'Why did they get it, or not? Trace this shopper' }).click();
  await expect(page.getByText(`: order ${orderNo}.`)).toBeVisible();
  await expect(page.getByLabel('E-mail or account')).toHaveValue(winner.userId);
});

test('[J5 J6 M5] the shopper who missed it is told why on the sale page, once answers are not switched off', async ({
  page,
}) => {
  const { loser, sale } = await missed();
  await page.goto(`/sales/${sale.slug}`);
  await expect(page.getByRole('button', { name: 'Sold out' })).toBeVisible();
  // The page offers no explanation to a stranger.
  await expect(page.getByRole('button', { name: 'Why?' })).toHaveCount(0);
  await useSession(page.context(), loser);
  await page.reload();
  // Answers as if they were off: switching them off would disturb the tests beside this one.
  await page.route(/\/why$/, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      headers: { 'retry-after': '1' },
      json: { status: 503, code: 'SWITCHED_OFF', feature: 'why' },
    }),
  );
  await page.getByRole('button', { name: 'Why?' }).click();
  const why = page.getByRole('region', { name: "Why you did or didn't get one" });
  await expect(why).toContainText('switched off for a while, so that buying stays quick');
  await page.unroute(/\/why$/);
  await expect(why).toContainText(
    /You came .* after the start\. Everything on sale had gone .* after the start\./,
  );
  await expect(why).toContainText('We gave you the same answer 2 times');
  await page.getByRole('button', { name: 'Why?' }).click();
  await expect(why).toHaveCount(0);
});

test('[J5] what was done is told to its owner and to the admin area, and to nobody else', async () => {
  const [shopper, merchant, sale] = await Promise.all([newShopper(), demoMerchant(), newSale()]);
  const [own, admin] = [`/api/sales/${sale.saleId}/why`, `/api/admin/sales/${sale.saleId}/why`];
  expect((await new Client().get(own)).status).toBe(401);
  expect((await shopper.client.get(own)).body).toMatchObject({ attempts: [], isComplete: true });
  expect((await shopper.client.get('/api/sales/nonsense/why')).status).toBe(404);
  expect((await new Client().get(`${admin}?user=${shopper.userId}`)).status).toBe(401);
  expect((await shopper.client.get(`${admin}?user=${shopper.userId}`)).status).toBe(403);
  expect((await merchant.get(admin)).status).toBe(422);
  // The shopper never came: a merchant may not learn whether the account exists.
  const never = await merchant.get(`${admin}?user=${shopper.userId}`);
  expect([never.status, never.body.code]).toEqual([404, 'USER_NOT_FOUND']);
  await buy(shopper, sale.saleId);
  const came = await merchant.get(`${admin}?user=${encodeURIComponent(shopper.email)}`);
  // A purchase whose answer was lost is told too, as one that nobody could decide.
  const decided = (came.body.attempts as { code?: string }[]).filter(
    ({ code }) => code !== 'STOCK_UNAVAILABLE',
  );
  expect(decided).toMatchObject([{ outcome: 'accepted', status: 'pending_payment', taken: { orders: 1 } }]);
});
