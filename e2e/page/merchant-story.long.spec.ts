import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { demoAdmin, newShopper, type Shopper, unique } from '../support/accounts';
import { ALL_HOLD } from '../support/all-hold';
import { isIn, press, type Told, wasTold } from '../support/crowd';
import { execute } from '../support/database';
import { loadTokens } from '../support/load-tokens';
import { buy, enter, expectOrder, pay } from '../support/sales';
import { clientOf } from '../support/sessions';
import { buyOnPage, goToPayment, heading, signInOnPage } from '../support/shop';

const RULES = '/api/admin/risk/rules';
const STOCK = 60;
const ADDED = 20;
const CROWD = 500;
/** How many of the crowd have accounts of their own and pay. */
const PAYERS = 3;
/** Requests a minute that the sale allows an account. */
const PER_MINUTE = 20;
/** Requests beyond that limit before the story's rule hits an account; no shopper of another test sends as many. */
const MANY = 150;

/** The rule's name. */
const rule = `Hammering ${unique()}`;

/** Formats a moment as a `datetime-local` field takes it; the browser runs in UTC. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

/** Finds the figure beside a name, in this part of the page; the first one is the stock bar's. */
const figure = (part: Page | Locator, name: string) => part.locator(`dt:has-text("${name}") + dd`).first();

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();

/** Presses an action and confirms it. */
async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
}

/** Opens a browser for one account, already signed in. */
async function browserOf(browser: Browser, { client }: Pick<Shopper, 'client'>): Promise<Page> {
  const context = await browser.newContext();
  await context.addCookies(client.browserCookies());
  return context.newPage();
}

/** Expects the live view to show this stock. */
async function expectStock(admin: Page, stock: { available: number; held: number; sold: number }) {
  const tiers = { Available: stock.available, Held: stock.held, Sold: stock.sold };
  for (const [name, units] of Object.entries(tiers))
    await expect(figure(admin, name), name).toHaveText(String(units), { timeout: 150_000 });
}

/** Returns the status with which the sale answers an account that wants to enter. */
const entryOf = async ({ client }: Shopper, saleId: string): Promise<number> =>
  (await client.post(`/api/sales/${saleId}/entry`)).status;

/** Runs `work` while an account is missing in the database, as after the restore of an older backup. */
async function withoutAccount<T>({ userId }: Shopper, work: () => Promise<T>): Promise<T> {
  const rename = (from: string, to: string) => execute('UPDATE users SET id = $2 WHERE id = $1', [from, to]);
  await rename(userId, `${userId}-away`);
  try {
    return await work();
  } finally {
    await rename(`${userId}-away`, userId);
  }
}

/** Returns the audit log's entries of one person, the newest first. */
async function entriesOf(page: Page, { email }: Shopper): Promise<Locator> {
  await page.getByRole('searchbox', { name: 'By whom' }).fill(email);
  return page.getByRole('row').filter({ has: page.getByRole('cell', { name: email }) });
}

/** Matches an entry that says what was done, and a field's value before and after. */
const changed = (what: string, field: string, before: unknown, after: unknown): RegExp =>
  new RegExp(`${what}.*${field}\\s*Before:\\s*${before}\\s*→\\s*After:\\s*${after}`);

test.afterEach(async () => {
  const admin = await demoAdmin();
  const { rules } = (await admin.get(RULES)).body as {
    rules: { ruleId: string; name: string; version: number }[];
  };
  for (const { ruleId, version } of rules.filter(({ name }) => name === rule))
    expect((await admin.request('DELETE', `${RULES}/${ruleId}`, { body: { version } })).status).toBe(200);
});

test(`[C1 C5 C6 C8 E1 E6 F2 G1–G3 G8 G11 G12 J5 L3 L4] a merchant’s day: a product and a sale, a rehearsal, 500 shoppers, a pause, \
more stock, a risk hit, a dead letter, a refund, and who did what; support answers “why not me”`, async ({
  browser,
}) => {
  // Every step waits for a condition: on a busy machine the test merely takes longer.
  test.setTimeout(900_000);
  const name = `Moka pot ${unique()}`;
  const [merchant, operator, ann, hammerer, latecomer, dora, ...payers] = (await Promise.all(
    Array.from({ length: 6 + PAYERS }, newShopper),
  )) as [Shopper, Shopper, Shopper, Shopper, Shopper, Shopper, ...Shopper[]];
  const admin = await (await browser.newContext()).newPage();

  await test.step('an admin makes one account a merchant’s and another an operator’s', async () => {
    const page = await browserOf(browser, { client: await demoAdmin() });
    await page.goto('/admin/users');
    for (const [{ email }, role] of [
      [merchant, 'Merchant'],
      [operator, 'Operator'],
    ] as const) {
      await page.getByRole('searchbox', { name: 'Account' }).fill(email);
      await page.getByRole('button', { name: `Manage ${email}` }).click();
      const form = page.getByRole('row').filter({ hasText: 'Sign out everywhere' });
      await form.getByLabel('Role').selectOption(role);
      await act(page, 'Save');
      await expect(page.getByRole('row', { name: email })).toContainText(role);
    }
    await page.context().close();
  });

  const risk = await test.step('the operator turns on a rule against those who hammer', async () => {
    const page = await browserOf(browser, {
      client: await clientOf(operator.email),
    });
    await page.goto('/admin/risk');
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('Name').fill(rule);
    await page.getByLabel('What is counted').selectOption('limited_requests');
    await page.getByLabel('How many').fill(String(MANY));
    await page.getByLabel('What is done').selectOption('block');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(`“${rule}” is saved.`)).toBeVisible();
    const card = page.getByRole('listitem').filter({ hasText: rule });
    await card.getByRole('button', { name: 'On', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, turn it on' }).click();
    await expect(card.getByRole('button', { name: 'On', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    return page;
  });

  await test.step('the merchant creates a product and a sale', async () => {
    await admin.goto('/admin');
    await admin.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signInOnPage(admin, merchant);
    await expect(heading(admin, 'Sales')).toBeVisible();
    await expect(admin.getByText('No sales yet. Create the first one.')).toBeVisible();
    await admin.getByRole('button', { name: 'New sale' }).click();
    await admin.getByLabel('Product name').fill(name);
    await admin.getByLabel('Description').fill('Six cups, and it whistles.');
    await admin.getByLabel('Picture').selectOption('coffee');
    await admin.getByLabel('Title of the sale').fill(name);
    await next(admin);
    await admin.getByLabel('Flash price').fill('24.90');
    await admin.getByLabel('List price').fill('49.90');
    await admin.getByLabel('Currency').selectOption('EUR');
    await admin.getByLabel('Pieces').fill(String(STOCK));
    await next(admin);
    await admin.getByLabel('Start', { exact: true }).fill(local(Date.now() - 60_000));
    await admin.getByLabel('End', { exact: true }).fill(local(Date.now() + 3_600_000));
    await next(admin);
    await admin.getByText('Rate limits (optional)').click();
    const limit = admin.getByRole('group', { name: 'Each user' });
    await limit.getByLabel('Counted by').selectOption('Sliding window');
    await limit.getByLabel('Calls').fill(String(PER_MINUTE));
    await limit.getByLabel('Seconds').fill('60');
    await next(admin);
    await expect(admin.getByRole('region', { name: 'What shoppers will see' })).toContainText('€24.90');
    await admin.getByRole('button', { name: 'Create draft' }).click();
    await expect(heading(admin, name)).toBeVisible();
  });
  const saleId = new URL(admin.url()).pathname.split('/').at(-1) ?? '';

  await test.step('rehearses it', async () => {
    await admin.getByLabel('Shoppers').fill('200');
    await admin.getByRole('button', { name: 'Rehearse', exact: true }).click();
    // How fast the answers came depends on the machine; what they said does not.
    await expect(
      admin.getByText(`Stock adds up and nothing was oversold: ${STOCK} sold, 0 left.`),
    ).toBeVisible({
      timeout: 240_000,
    });
    await expect(admin.getByText('Limits refused none of 200 who only wanted to buy.')).toBeVisible();
  });

  await test.step('publishes it', async () => {
    await act(admin, 'Publish');
    await expect(admin.getByText(ALL_HOLD)).toBeVisible({ timeout: 150_000 });
    await expectStock(admin, { available: STOCK, held: 0, sold: 0 });
  });
  const salePage = (await admin.getByRole('link', { name: 'See the sale page' }).getAttribute('href')) ?? '';

  const shop = await browserOf(browser, ann);
  await test.step('somebody buys in her browser and pays', async () => {
    await shop.goto(salePage);
    await expect(shop.getByText('€24.90').first()).toBeVisible();
    await buyOnPage(shop);
    await goToPayment(shop);
    await shop.getByRole('main').getByRole('button', { name: 'Pay €24.90' }).click();
    await expect(heading(shop, "Paid. It's yours!")).toBeVisible();
    await expectStock(admin, { available: STOCK - 1, held: 0, sold: 1 });
  });

  const refused = await test.step(`watches ${CROWD} more come at once`, async () => {
    const tokens = await loadTokens(saleId, CROWD - PAYERS - 1, test.info().outputPath('tokens.jsonl'));
    const lateToken = await enter(latecomer, saleId);
    const bought = await Promise.all(payers.map((payer) => buy(payer, saleId)));
    const crowd = await press(saleId, tokens);
    const late = await press(saleId, [lateToken]);

    const told = [...crowd, ...late];
    const accepted = told.filter(isIn);
    expect(accepted).toHaveLength(STOCK - 1 - PAYERS);
    expect(new Set([...bought, ...accepted.map(({ orderNo }) => orderNo)]).size).toBe(STOCK - 1);
    expect(told.filter(wasTold('SOLD_OUT'))).toHaveLength(CROWD - STOCK + 1);
    expect(late).toMatchObject([{ status: 409, code: 'SOLD_OUT' }]);

    await Promise.all(payers.map((payer, i) => pay(payer, bought[i] ?? '')));
    await expectStock(admin, { available: 0, held: accepted.length, sold: PAYERS + 1 });
    const written = admin.getByRole('figure').filter({ hasText: 'Orders written' });
    await expect(figure(written, 'Accepted')).toHaveText(String(STOCK));
    await expect(figure(written, 'Written')).toHaveText(String(STOCK));
    await expect(
      admin.locator('dt:has-text("Sold out") + dd').filter({ hasText: new RegExp(`^${CROWD - STOCK + 1}$`) }),
    ).toBeVisible();
    await expect(admin.getByText(ALL_HOLD)).toBeVisible({ timeout: 150_000 });
    return crowd.filter(wasTold('SOLD_OUT'));
  });

  await test.step('somebody hammers at the sold-out sale until the rule stops them', async () => {
    const token = await enter(hammerer, saleId);
    await expect(async () => {
      const told = await press(saleId, Array<string>(MANY).fill(token));
      expect(told.filter(isIn)).toHaveLength(0);
      expect(await entryOf(hammerer, saleId)).toBe(403);
    }).toPass({ timeout: 240_000, intervals: [500] });
  });

  /** Lets this many of the shoppers who got nothing try again, with the tokens they have. */
  const askAgain = async (count: number): Promise<Told[]> =>
    press(
      saleId,
      refused.splice(0, count).map(({ token }) => token),
    );

  await test.step('pauses, adds stock and resumes: what was added sells', async () => {
    await act(admin, 'Pause');
    await expect(admin.getByRole('button', { name: 'Resume' })).toBeVisible();
    await admin.getByRole('button', { name: 'Change stock' }).click();
    await admin.getByLabel('Pieces to add').fill(String(ADDED));
    await admin.getByLabel('Reason').fill('a pallet was found');
    await admin.getByRole('button', { name: 'Apply' }).click();
    await expect(
      admin.getByText(`Total ${STOCK} becomes ${STOCK + ADDED}; available 0 becomes ${ADDED}.`),
    ).toBeVisible();
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
    await expect(admin.getByText(`Total ${STOCK + ADDED}`)).toBeVisible();
    await expectStock(admin, { available: ADDED, held: STOCK - 1 - PAYERS, sold: PAYERS + 1 });
    await act(admin, 'Resume');
    await expect(admin.getByRole('button', { name: 'Pause' })).toBeVisible();

    const again = await askAgain(15);
    expect(again.filter(isIn)).toHaveLength(15);
    await expectStock(admin, { available: 5, held: 71, sold: 4 });
  });

  await test.step('sees a risk hit; the operator releases the block', async () => {
    const hits = admin.locator(`dt:has-text("${rule}") + dd`);
    // One for each minute in which there were too many.
    await expect(hits).toHaveText(/^[1-9]\d*$/, { timeout: 150_000 });
    await risk.goto(`/admin/risk?value=${hammerer.userId}`);
    // Rules of other tests may hit this shopper, too.
    const hit = risk.getByRole('row', { name: hammerer.email }).filter({ hasText: rule });
    await expect(hit.first()).toContainText('the account is blocked for 1 hour.');
    const releases = hit.getByRole('button', { name: 'Release' });
    await releases.first().click();
    await expect(risk.getByText(`The block of ${hammerer.email} is lifted`).first()).toBeVisible();
    await expect(async () => {
      if ((await releases.count()) > 0) await releases.first().click({ timeout: 5_000 });
      await expect(releases).toHaveCount(0, { timeout: 5_000 });
    }).toPass({ timeout: 150_000 });
    await expect(hit.first()).toContainText('Released');
    await expect.poll(() => entryOf(hammerer, saleId), { timeout: 150_000 }).toBe(200);
  });

  await test.step('retries a dead letter: an order that could not be written', async () => {
    const token = await enter(dora, saleId);
    const [told] = await withoutAccount(dora, async () => {
      const answers = await press(saleId, [token]);
      await expect(admin.getByRole('region', { name: 'Dead letters' })).toBeVisible({ timeout: 240_000 });
      return answers;
    });
    expect(told).toMatchObject({ status: 202 });
    const letters = admin.getByRole('region', { name: 'Dead letters' }).getByRole('listitem');
    await expect(letters).toHaveCount(1);
    await expect(letters).toContainText(`Writing orders · Order ${told?.orderNo}`);
    await expect(letters).toContainText('given up');
    // The shop has given back the unit held for her: the hold is compensated.
    await expectStock(admin, { available: 5, held: 71, sold: 4 });
    await letters.getByRole('button', { name: 'Try again' }).click();
    await expect(letters).toHaveCount(0);
    await expectOrder(dora, told?.orderNo ?? '', 'pending_payment');
    await expectStock(admin, { available: 4, held: 72, sold: 4 });
  });

  const orders = await browserOf(browser, {
    client: await clientOf(merchant.email),
  });
  await test.step('refunds an order', async () => {
    await orders.goto(`/admin/orders?saleId=${saleId}`);
    await orders.getByRole('searchbox').fill(ann.email);
    await orders.getByRole('button', { name: 'Find' }).click();
    await orders.getByRole('row', { name: ann.email }).getByRole('link').first().click();
    await orders.getByLabel('Reason').fill('arrived dented');
    await orders.getByLabel('For sale again').check();
    await orders.getByRole('button', { name: 'Refund €24.90' }).click();
    await expect(orders.getByRole('alertdialog')).toContainText('4 left become 5');
    await orders.getByRole('button', { name: 'Yes, refund it' }).click();
    await expect(orders.getByText('Refund of €24.90 decided.')).toBeVisible();
    await expectStock(admin, { available: 5, held: 72, sold: 3 });
    // The provider refunds a moment later.
    await expect(async () => {
      await shop.reload();
      await expect(heading(shop, 'Refunded')).toBeVisible({ timeout: 15_000 });
    }).toPass({ timeout: 150_000 });
    await expect(orders.getByText('€24.90 went back.')).toBeVisible();
  });

  await test.step('sells what is left, and not a piece more', async () => {
    const last = await askAgain(50);
    expect(last.filter(isIn)).toHaveLength(5);
    expect(last.filter(wasTold('SOLD_OUT'))).toHaveLength(45);
    await expectStock(admin, { available: 0, held: STOCK + ADDED - PAYERS, sold: PAYERS });
    await expect(admin.getByText(ALL_HOLD)).toBeVisible({ timeout: 150_000 });
    await orders.goto(`/admin/reconcile?saleId=${saleId}`);
    const one = orders.getByRole('region', { name: 'One sale' });
    await one.getByRole('button', { name: 'Compare now' }).click();
    await expect(one.getByText(/^On demand/)).toBeVisible({ timeout: 150_000 });
    await expect(one.getByText('No differences.').first()).toBeVisible();
  });

  await test.step('support answers who asks “why not me?”', async () => {
    const support = await clientOf('support@example.com');
    const page = await browserOf(browser, { client: support });
    await page.goto('/admin/why');
    await page.getByLabel('Sale', { exact: true }).fill(saleId);
    await page.getByLabel('E-mail or account').fill(latecomer.email);
    // The shop writes refusals every few seconds.
    await expect(async () => {
      await page.getByRole('button', { name: 'Trace' }).click();
      await expect(page.getByText(/^They came .* after the start\./)).toBeVisible({ timeout: 10_000 });
    }).toPass({ timeout: 150_000 });
    await expect(page.getByText(`By then ${STOCK} pieces had gone, `)).toBeVisible();
    await expect(page.getByText('Sold out.')).toBeVisible();
    await expect(page.getByText('not conspicuous')).toBeVisible();
    await page.context().close();
  });

  await test.step('an auditor reads who did what, in order', async () => {
    const auditor = await clientOf('auditor@example.com');
    const page = await browserOf(browser, { client: auditor });
    await page.goto('/admin/audit');
    await expect(await entriesOf(page, merchant)).toContainText([
      changed('Refunded an order“arrived dented”', 'status', 'paid', 'refunded'),
      changed('Retried a dead letter', 'state', 'open', 'retried'),
      changed('Resumed a sale', 'paused', true, false),
      changed('Changed the stock“a pallet was found”', 'totalStock', STOCK, STOCK + ADDED),
      changed('Paused a sale', 'paused', false, true),
      changed('Published a sale', 'status', 'draft', 'published'),
      /Rehearsed a sale.*shoppers\s*After:\s*200/,
      /Created a sale.*status\s*After:\s*draft/,
      /Created a product.*After:\s*Moka pot/,
    ]);
    await expect(await entriesOf(page, operator)).toContainText([
      new RegExp(`Lifted a block.*reason\\s*Before:\\s*${rule}`),
      changed('Released a risk hit', 'released', false, true),
      changed('Edited a risk rule', 'state', 'dry_run', 'enabled'),
      /Created a risk rule.*state\s*After:\s*dry_run/,
    ]);
    await expect(page.getByText(/^The log is whole/)).toBeVisible({ timeout: 150_000 });
    await page.context().close();
  });

  await Promise.all([admin, shop, orders, risk].map((page) => page.context().close()));
});
