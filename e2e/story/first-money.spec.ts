import { readFileSync } from 'node:fs';
import { type Browser, expect, type Page, test } from '@playwright/test';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { totpCode } from '@/lib/account/factors/totp';
import { StripeStandIn } from '@/lib/payment/providers/stripe/testing/stripe-stand-in';
import { newShopper, type Shopper, unique } from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { npmRunAgain } from '../support/commands';
import { mailsOf } from '../support/mails';
import { buy, enter, expectOrder, expectState, gateOf, purchase } from '../support/sales';
import { buyButton, buyLink, heading, toasts, useSession } from '../support/shop';

const UNITS = { Small: 200, Large: 100 };
const CROWD = 1_000;
/** Each order has two pieces, and goes by one parcel. */
const ORDER_MINOR = 2 * 2490 + 490;
const ORDERS = 150;
const PASSWORD = 'a kettle that whistles';
/** Requests under way at once. */
const few = pLimit(20);

/** Makes a photo as a camera does: with the place where it was taken. */
const takePhoto = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 1_200,
      height: 800,
      channels: 3,
      background: '#a34',
      noise: { type: 'gaussian', mean: 120, sigma: 40 },
    },
  })
    .withExif({ IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();

const stripe = new StripeStandIn();
const webhookUrl = `${baseUrl}/api/payments/webhooks/stripe`;

test.beforeAll(async () => {
  stripe.webhookUrl = webhookUrl;
  await stripe.listen(Number(process.env.E2E_STRIPE_PORT));
});
test.afterAll(() => stripe.shutDown());

const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const sayYes = (page: Page) =>
  page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();

/** Opens the link of an invitation in a browser of its own, accepts it, and sets up the second step that staff need. */
async function accept(browser: Browser, link: string, name: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('link', { name: 'Add one now' }).click();
  const section = page.getByRole('region', { name: 'Two-step sign-in' });
  const press = (button: string) => section.getByRole('button', { name: button, exact: true }).click();
  await press('Set up an app');
  await section.getByLabel('Your password').fill(PASSWORD);
  await press('Set up an app');
  const secret = await section.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent();
  await press('Turn on');
  await section.getByLabel('Code', { exact: true }).fill(totpCode((secret ?? '').replaceAll(' ', '')));
  await press('Turn on');
  await press('I have kept them');
  await page.goto('/admin/sales');
  await expect(heading(page, 'Sales')).toBeVisible();
  return page;
}

/** An address of the shopper's own. */
const addressOf = (nth: number) => ({
  name: `Shopper ${nth}`,
  lines: [`Marktstraße ${nth + 1}`],
  city: 'Berlin',
  postalCode: '10117',
  country: 'DE',
});

/** Pays for an order on the company's page; every tenth callback is lost, and the worker asks. */
async function payFor({ client }: Shopper, orderNo: string, nth: number): Promise<void> {
  const given = await client.request('PUT', `/api/orders/${orderNo}/address`, {
    body: { address: addressOf(nth), save: true },
  });
  expect(given.status, given.text).toBe(200);
  const { body } = await client.post(`/api/orders/${orderNo}/pay`);
  const id = stripe.idOf(String(body.redirectUrl));
  stripe.pay(id);
  if (nth % 10 === 0) return;
  const told = await fetch(webhookUrl, { method: 'POST', ...stripe.callback('paid', id) });
  expect(told.status, await told.text()).toBe(200);
}

test('[O1 O2 O3 O4 O5 O7 O11 C1 C6] from an empty shop to money on the account: an invitation, a photo, two sizes, 1,000 shoppers, \
addresses, payments, parcels, a part given back, and the same sums in both books', async ({ browser }) => {
  test.setTimeout(1_800_000);
  const kettle = `Kettle ${unique()}`;
  const admin = await test.step('the first admin comes by a link of the command line', async () => {
    const invited = await npmRunAgain('admin', ['invite', `ann-${unique()}@example.com`, '--role', 'admin']);
    expect(invited.code, invited.stderr).toBe(0);
    return accept(browser, /\S+\/invite#\S+/.exec(invited.stdout)?.[0] ?? '', 'Ann');
  });

  const desk = await test.step('and invites a merchant', async () => {
    await admin.goto('/admin/users');
    await admin.getByLabel('E-mail address').fill(`ben-${unique()}@example.com`);
    await admin.getByRole('button', { name: 'Make a link' }).click();
    const link = await admin.getByText(/\/invite#/).textContent();
    return accept(browser, link ?? '', 'Ben');
  });

  await test.step('who says what parcels cost, and makes a product with a photo', async () => {
    await desk.goto('/admin/shop');
    await desk.getByRole('button', { name: 'Add a rule' }).click();
    await desk.getByRole('group', { name: 'Rule 1' }).getByLabel('Countries').fill('DE');
    await desk.getByRole('group', { name: 'Rule 1' }).getByLabel('Price').fill('4.90');
    await desk.getByRole('button', { name: 'Save shipping' }).click();
    await expect(toasts(desk).getByText('Shipping is saved.')).toBeVisible();

    await desk.goto('/admin/products');
    await desk.getByRole('button', { name: 'New product' }).click();
    await desk.getByLabel('Name', { exact: true }).fill(kettle);
    await desk.getByLabel('Choose pictures').setInputFiles({
      name: 'kettle.jpg',
      mimeType: 'image/jpeg',
      buffer: await takePhoto(),
    });
    await expect(desk.getByText('1 picture uploaded. Save to keep what you see.')).toBeVisible();
    await desk.getByLabel('What picture 1 shows').fill('The kettle on a stove');
    await desk.getByLabel('How it reaches the buyer').selectOption({ label: 'By parcel' });
    await desk.getByLabel('Weight, g').fill('800');
    await desk.getByLabel('Tax included, %').fill('19');
    await desk.getByRole('button', { name: 'Create product' }).click();
    await expect(desk.getByRole('row', { name: kettle })).toBeVisible();
  });

  const saleId = await test.step('and a sale of two sizes', async () => {
    await desk.goto('/admin/sales');
    await desk.getByRole('button', { name: 'New sale' }).click();
    await desk.getByLabel('Product', { exact: true }).selectOption(kettle);
    await desk.getByLabel('Title of the sale').fill('Kettles that whistle');
    await next(desk);
    await desk.getByLabel('Flash price').fill('24.90');
    await desk.getByLabel('List price').fill('49.90');
    await desk.getByLabel('Currency').selectOption('EUR');
    await desk.getByLabel('Limit per person').fill('2');
    for (const [nth, [name, pieces]] of Object.entries(UNITS).entries()) {
      await desk.getByRole('button', { name: 'Add a variant' }).click();
      const row = desk.getByRole('group', { name: `Variant ${nth + 1}`, exact: true });
      await row.getByLabel('Name').fill(name);
      await row.getByLabel('Pieces').fill(String(pieces));
    }
    await next(desk);
    await desk.getByLabel('Start', { exact: true }).fill(local(Date.now() - 60_000));
    await desk.getByLabel('End', { exact: true }).fill(local(Date.now() + 3_600_000));
    await next(desk);
    await next(desk);
    await desk.getByRole('button', { name: 'Create draft' }).click();
    await expect(heading(desk, 'Kettles that whistle')).toBeVisible();
    await desk.getByRole('button', { name: 'Publish', exact: true }).click();
    await sayYes(desk);
    await expect(desk.getByText('Total 300', { exact: true })).toBeVisible();
    return new URL(desk.url()).pathname.split('/').at(-1) ?? '';
  });
  const salePage = (await desk.getByRole('link', { name: 'See the sale page' }).getAttribute('href')) ?? '';

  const ada = await newShopper();
  const shop = await (await browser.newContext()).newPage();
  const orderNo = await test.step('a shopper buys two large ones in her browser, and pays', async () => {
    await useSession(shop.context(), ada);
    await shop.goto(salePage);
    await expect(shop.getByRole('img', { name: 'The kettle on a stove' })).toBeVisible();
    await shop.getByRole('radio', { name: /^Large/ }).check();
    await shop.getByRole('button', { name: 'One more' }).click();
    await buyButton(shop, /^Buy/).click();
    await buyLink(shop, /^Pay within/).click();
    await shop.getByLabel('Country').selectOption({ label: 'Germany' });
    await shop.getByLabel('Full name').fill('Ada Lovelace');
    await shop.getByLabel('Street and house number').fill('Unter den Linden 1');
    await shop.getByLabel('Postal code').fill('10117');
    await shop.getByLabel('Town or city').fill('Berlin');
    await shop.getByRole('button', { name: 'Use this address' }).click();
    await shop.getByRole('button', { name: 'Pay €54.70' }).click();
    await shop.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(heading(shop, "Paid. It's yours!")).toBeVisible();
    return new URL(shop.url()).pathname.split('/').at(-1) ?? '';
  });

  await test.step('a thousand come at once: nobody gets more than there is', async () => {
    const crowd = await Promise.all(Array.from({ length: CROWD }, () => few(newShopper)));
    const [gate, tokens] = await Promise.all([
      gateOf(saleId),
      Promise.all(crowd.map((shopper) => few(() => enter(shopper, saleId)))),
    ]);
    const told = await Promise.all(
      tokens.map((token, nth) => purchase(saleId, gate, token, { quantity: 2, variant: nth % 3 ? 1 : 2 })),
    );
    const won = crowd.flatMap((shopper, nth) =>
      told[nth]?.status === 202 ? [{ shopper, orderNo: String(told[nth].body.orderNo) }] : [],
    );
    expect(won).toHaveLength(ORDERS - 1);
    const refusals = new Set(told.filter(({ status }) => status !== 202).map(({ body }) => body.code));
    expect([...refusals].sort()).toEqual(['SOLD_OUT']);

    // One of them changes their mind; a shopper who comes later gets the two pieces.
    await Promise.all(
      won.map((each) => few(() => expectOrder(each.shopper, each.orderNo, 'pending_payment'))),
    );
    const [gone] = won.splice(0, 1);
    expect((await gone?.shopper.client.post(`/api/orders/${gone.orderNo}/cancel`))?.status).toBe(200);
    await expectState(saleId, { stock: { available: 2 } });
    const late = await newShopper();
    const { stock } = (await (
      await late.client.get(`/api/sales/${saleId}/state`)
    ).body) as {
      stock: { variants: number[] };
    };
    won.push({ shopper: late, orderNo: await buy(late, saleId, 2, stock.variants.indexOf(2) + 1) });

    await Promise.all(won.map((each, nth) => few(() => payFor(each.shopper, each.orderNo, nth))));
    await Promise.all(won.map((each) => few(() => expectOrder(each.shopper, each.orderNo, 'paid'))));
  });

  await test.step('the merchant sends every parcel', async () => {
    await desk.goto(`/admin/orders?saleId=${saleId}`);
    await desk.getByRole('button', { name: 'Parcels', exact: true }).click();
    const [file] = await Promise.all([
      desk.waitForEvent('download'),
      desk.getByRole('link', { name: 'Addresses: not packed yet' }).click(),
    ]);
    const [, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(ORDERS);
    const numbers = lines.map(
      (line, nth) => `${line.split(',')[0]},Post,0034${nth},https://post.example/${nth}`,
    );
    await desk.getByLabel('Take numbers from a file').setInputFiles({
      name: 'numbers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['order_no,carrier,tracking_number,tracking_url', ...numbers].join('\n')),
    });
    await expect(desk.getByText('150 parcels are on their way.')).toBeVisible();
  });

  await test.step('and gives a part of one order back', async () => {
    await desk.goto(`/admin/orders/${orderNo}`);
    await desk.getByLabel('How much goes back?').selectOption('A part');
    await desk.getByLabel('Amount to give back').fill('2.50');
    const refund = desk.getByRole('heading', { name: 'Refund', exact: true }).locator('..');
    await refund.getByLabel('Reason').fill('a scratch');
    await desk.getByRole('button', { name: 'Give back €2.50' }).click();
    await desk.getByRole('button', { name: 'Yes, send it back' }).click();
    await expect(desk.getByRole('region', { name: 'Given back in parts' })).toContainText('sent');
    await shop.reload();
    await expect(shop.getByRole('link', { name: 'Track the parcel' })).toBeVisible();
    await expect(shop.getByText('A part went back to you: €2.50.')).toBeVisible();
  });

  await test.step('she has read of all that in her mails', async () => {
    const mails = () => [...mailsOf(orderNo), ...mailsOf(`${orderNo}-1`)].map(([name]) => name.split('-')[0]);
    await expect.poll(() => mails().sort()).toEqual(['order_paid', 'order_shipped', 'part_refunded']);
  });

  await test.step('both books say what is on the account', async () => {
    const charges = [...stripe.sessions.values()].flatMap(({ intent: { charge } }) => charge ?? []);
    const sum = (part: 'amount_captured' | 'amount_refunded') =>
      charges.reduce((minor, charge) => minor + charge[part], 0);
    expect([sum('amount_captured'), sum('amount_refunded')]).toEqual([ORDERS * ORDER_MINOR, 250]);
    await desk.goto(`/admin/sales/${saleId}`);
    const card = desk.getByRole('heading', { name: 'Money in EUR' }).locator('..');
    for (const [label, amount] of [
      ['Taken', '€8,205.00'],
      ['Refunded', '€2.50'],
      ['Kept', '€8,202.50'],
      ['Paid orders', '150'],
    ] as const)
      await expect(card.locator(`dt:has-text("${label}") + dd`)).toHaveText(amount);
    await expect(async () => {
      const verified = await npmRunAgain('verify', ['--sale', saleId]);
      expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    }).toPass({ timeout: 240_000 });
  });
  await Promise.all([admin, desk, shop].map((page) => page.context().close()));
});
