import { readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper } from '../support/accounts';
import { ALL_HOLD } from '../support/all-hold';
import { expectAccessible } from '../support/axe';
import { watchPolicy } from '../support/policy';
import { buy, newSale, type SaleOptions } from '../support/sales';
import { buyButton, buyLink, heading, useSession } from '../support/shop';
import { someOfEverything, type Things } from '../support/things';

/** A page of the product, how to get there, and which element shows that its content has come. */
type Visit = {
  /** Its folder below app/[locale]. */
  route: string;
  path: (things: Things) => string;
  shows: (page: Page, things: Things) => Locator;
  /** Runs the narrow and dark look on the Chinese page; `shows` must then find the same in every language. */
  isAlsoChinese?: true;
  /** A button that opens more content. */
  opens?: string | RegExp;
  /** Elements left out because they only repeat, thousands of times, what stands before them. */
  repeats?: string;
};

/** By far the longest test of pages; its time depends on the other work on this machine. */
test.describe.configure({ timeout: 900_000 });

const region = (name: string) => (page: Page) => page.getByRole('region', { name });

const FOR_STRANGERS: Visit[] = [
  {
    route: '.',
    path: () => '/',
    isAlsoChinese: true,
    shows: (page, { sale }) => page.getByRole('link', { name: sale.title }),
  },
  {
    route: 'sales/[slug]',
    path: ({ sale }) => `/sales/${sale.slug}`,
    shows: (page) => buyLink(page, 'Sign in to buy'),
  },
  {
    route: 'campaigns/[slug]',
    path: ({ campaign }) => `/campaigns/${campaign.slug}`,
    isAlsoChinese: true,
    shows: (page, { sale }) => page.getByRole('listitem').getByRole('link', { name: sale.title }),
  },
  {
    route: 'register',
    path: () => '/register',
    shows: (page) => page.getByRole('button', { name: 'Create account' }),
  },
  {
    route: 'signin',
    path: () => '/signin',
    shows: (page) => page.getByRole('button', { name: 'Sign in as merchant@example.com' }),
  },
  {
    route: 'invite',
    path: ({ invitePath }) => invitePath,
    isAlsoChinese: true,
    shows: (page) => page.locator('form'),
  },
  {
    route: 'forgot-password',
    path: () => '/forgot-password',
    isAlsoChinese: true,
    shows: (page) => page.locator('form'),
  },
  {
    route: 'second-step',
    path: () => '/second-step',
    isAlsoChinese: true,
    shows: (page) => page.locator('form').getByRole('button').first(),
  },
  {
    route: 'reset-password',
    path: () => '/reset-password#token',
    isAlsoChinese: true,
    shows: (page) => page.locator('form'),
  },
  {
    route: 'confirm-email',
    path: () => '/confirm-email#token',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('button'),
  },
  {
    route: 'stop-email',
    path: () => '/stop-email#token',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('button'),
  },
  {
    route: '[...rest]',
    path: () => '/there/is/nothing',
    shows: (page) => heading(page, "This page isn't here"),
  },
  {
    route: 'missing',
    path: () => '/missing',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('link'),
  },
];

/** By far the longest pages: thousands of elements, built from a few kinds of rows and words. */
const FOR_PROGRAMMERS: Visit[] = [
  {
    route: 'docs/api',
    path: () => '/docs/api',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('link', { name: 'payOrder' }),
    repeats: 'main section > ul > :nth-child(n + 4)',
  },
  {
    route: 'docs/api/[chapter]',
    path: () => '/docs/api/objects',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('heading', { name: 'SaleState', exact: true }).first(),
    repeats: 'main h1 ~ :nth-child(n + 6), main tr:nth-child(n + 5)',
  },
];

const FOR_SHOPPERS: Visit[] = [
  {
    route: 'orders',
    path: () => '/orders',
    isAlsoChinese: true,
    shows: (page, { sale }) => page.getByRole('link', { name: sale.title }).first(),
  },
  {
    route: 'orders/[orderNo]',
    path: ({ unpaidOrderNo }) => `/orders/${unpaidOrderNo}`,
    shows: (page) => page.getByRole('button', { name: /^Pay €/ }),
  },
  {
    route: 'orders/[orderNo]',
    path: ({ paidOrderNo }) => `/orders/${paidOrderNo}`,
    shows: region('What happened'),
  },
  {
    route: 'pay/sandbox/[paymentId]',
    path: ({ paymentPath }) => paymentPath,
    shows: (page) => page.getByRole('button', { name: /^Pay €/ }),
  },
  {
    route: 'notifications',
    path: () => '/notifications',
    shows: (page, { sale }) => page.getByRole('link', { name: `Paid: ${sale.title}` }),
  },
  {
    route: 'account',
    path: () => '/account',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').first(),
  },
  {
    route: 'account/sign-in',
    path: () => '/account/sign-in',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').first(),
  },
  {
    route: 'account/language',
    path: () => '/account/language',
    shows: region('Time zone'),
  },
  {
    route: 'account/data',
    path: () => '/account/data',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('button').nth(1),
  },
  {
    route: 'verify-email',
    path: () => '/verify-email',
    shows: (page) => page.getByRole('button', { name: /mail/i }),
  },
  {
    route: 'prove',
    path: () => '/prove',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('textbox'),
  },
];

const FOR_THE_DESK: Visit[] = [
  {
    route: 'admin/sales',
    path: ({ sale }) => `/admin/sales?q=${encodeURIComponent(sale.title)}`,
    shows: (page, { sale }) => page.getByRole('link', { name: sale.title }),
    isAlsoChinese: true,
  },
  {
    route: 'admin/sales/[saleId]',
    path: ({ draft }) => `/admin/sales/${draft.saleId}`,
    shows: (page) => page.getByRole('heading', { name: 'Before you publish' }),
  },
  {
    route: 'admin/campaigns',
    path: () => '/admin/campaigns',
    shows: (page, { campaign }) => page.getByRole('link', { name: campaign.title }),
    opens: 'New campaign',
  },
  {
    route: 'admin/campaigns/[campaignId]',
    path: ({ campaign }) => `/admin/campaigns/${campaign.campaignId}`,
    shows: (page, { sale }) => page.getByRole('link', { name: sale.title }),
    opens: 'Edit',
  },
  {
    route: 'admin/orders',
    path: ({ shopper }) => `/admin/orders?q=${shopper.email}`,
    shows: (page, { paidOrderNo }) => page.getByRole('link', { name: paidOrderNo }),
  },
  {
    route: 'admin/orders/[orderNo]',
    path: ({ paidOrderNo }) => `/admin/orders/${paidOrderNo}`,
    shows: (page) => page.getByRole('button', { name: /refund/i }),
  },
  {
    route: 'admin/orders/[orderNo]',
    path: ({ unpaidOrderNo }) => `/admin/orders/${unpaidOrderNo}`,
    shows: (page) => page.getByRole('button', { name: 'Change the price' }),
  },
  {
    route: 'admin/orders/[orderNo]',
    path: ({ openedOrderNo }) => `/admin/orders/${openedOrderNo}`,
    shows: (page) => page.getByText(/opened the payment/),
  },
  {
    route: 'admin/why',
    path: ({ shopper, sale }) => `/admin/why?saleId=${sale.saleId}&user=${shopper.email}`,
    shows: (page, { paidOrderNo }) => page.getByRole('link', { name: `Order ${paidOrderNo}` }),
  },
  {
    route: 'admin/people',
    path: ({ shopper }) => `/admin/people?who=${shopper.userId}`,
    shows: (page, { paidOrderNo }) => page.getByRole('link', { name: paidOrderNo }),
  },
  {
    route: 'admin/alerts',
    path: () => '/admin/alerts?state=all',
    shows: (page) => region('Rules')(page).getByRole('listitem').first(),
  },
  {
    route: 'admin/approvals',
    path: () => '/admin/approvals',
    shows: (page, { sale }) => page.getByRole('listitem').filter({ hasText: sale.title }),
  },
  {
    route: 'admin/queues',
    path: ({ nobody }) => `/admin/queues?letters=all&outboxes=all&consumer=${nobody}`,
    shows: (page) => region('Dead letters')(page).getByRole('listitem').first(),
  },
  {
    route: 'admin/reconcile',
    path: ({ sale }) => `/admin/reconcile?saleId=${sale.saleId}`,
    shows: (page) => region('One sale')(page).getByText('No differences.').first(),
  },
  {
    route: 'admin/risk',
    path: ({ nobody }) => `/admin/risk?value=${nobody}`,
    shows: (page, { nobody }) => page.getByRole('row', { name: nobody }),
    opens: 'New rule',
  },
  {
    route: 'admin/switchboard',
    path: () => '/admin/switchboard',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').nth(10),
  },
  {
    route: 'admin/setup',
    path: () => '/admin/setup',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').nth(15),
  },
  {
    route: 'admin/blocks',
    path: ({ nobody }) => `/admin/blocks?value=${nobody}`,
    shows: (page, { nobody }) => page.getByRole('row', { name: nobody }),
  },
  {
    route: 'admin/audit',
    path: () => '/admin/audit',
    shows: (page) => page.getByRole('row').nth(1),
  },
  {
    route: 'admin/users',
    path: ({ shopper }) => `/admin/users?search=${shopper.email}`,
    shows: (page, { shopper }) => page.getByRole('row', { name: shopper.email }),
    opens: /^Manage/,
  },
];

const EVERYWHERE = [...FOR_STRANGERS, ...FOR_PROGRAMMERS, ...FOR_SHOPPERS, ...FOR_THE_DESK];

async function look(page: Page, visits: readonly Visit[]): Promise<void> {
  const things = await someOfEverything();
  const noted = await watchPolicy(page);
  for (const { route, path, shows, isAlsoChinese, opens, repeats } of visits) {
    const open = async (address: string) => {
      // The shop writes some of the content a moment after its cause.
      await expect(async () => {
        await page.goto(address);
        await expect(shows(page, things)).toBeVisible({ timeout: 40_000 });
      }).toPass({ timeout: 240_000 });
      if (!repeats) return;
      await page.locator(repeats).evaluateAll((elements) => {
        for (const element of elements) element.remove();
      });
    };
    await open(path(things));
    if (opens) await page.getByRole('button', { name: opens }).click();
    if (!isAlsoChinese) {
      await expectAccessible(page, route);
      continue;
    }
    await expectAccessible(page, route, ['wide and light']);
    await open(`/zh-CN${path(things)}`);
    await expectAccessible(page, `${route} in Chinese`, ['narrow and dark']);
  }
  // The pages' security policy has blocked none of our own scripts and files.
  expect(noted).toEqual([]);
}

test('[L4] no page is without a look at its accessibility', () => {
  const root = resolve(import.meta.dirname, '../../app/[locale]');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const there = files.filter((file) => basename(file) === 'page.tsx').map((file) => dirname(file));
  expect(there.length).toBeGreaterThan(20);
  expect([...new Set(EVERYWHERE.map(({ route }) => route))].sort()).toEqual(there.sort());
});

test('[L4] axe finds nothing on the pages that are for everybody', async ({ page }) => {
  await look(page, FOR_STRANGERS);
});

test('[L4] axe finds nothing in the description of the API', async ({ page }) => {
  await look(page, FOR_PROGRAMMERS);
});

test('[L4] axe finds nothing on the pages of a shopper', async ({ page, context }) => {
  await useSession(context, (await someOfEverything()).shopper);
  await look(page, FOR_SHOPPERS);
});

/** So few that a slow machine looks at them in the time of one test. */
const AT_A_TIME = 5;
for (let from = 0; from < FOR_THE_DESK.length; from += AT_A_TIME) {
  const pages = FOR_THE_DESK.slice(from, from + AT_A_TIME);
  test(`[L4] axe finds nothing on the pages of the admin area, from ${pages[0]?.route} on (${from})`, async ({
    page,
    context,
  }) => {
    await useSession(context, { client: await demoAdmin() });
    await look(page, pages);
  });
}

test('[L4] on a phone no list of the admin area is scrolled sideways, and the way to the page one is on is in sight', async ({
  page,
  context,
}) => {
  const things = await someOfEverything();
  await useSession(context, { client: await demoAdmin() });
  await page.setViewportSize({ width: 390, height: 844 });
  const current = page.getByRole('navigation', { name: 'Admin' }).locator('[aria-current=page]');
  for (const { route, path, shows } of FOR_THE_DESK) {
    await expect(async () => {
      await page.goto(path(things));
      await expect(shows(page, things)).toBeVisible({ timeout: 40_000 });
    }).toPass({ timeout: 240_000 });
    const tooWide = await page
      .locator('main table')
      .evaluateAll((tables) =>
        tables
          .filter(({ parentElement: box }) => box && box.scrollWidth > box.clientWidth)
          .map(({ textContent }) => textContent),
      );
    expect.soft(tooWide, route).toEqual([]);
    await expect.soft(current, route).toBeInViewport({ ratio: 0.9 });
  }
});

test('[L4 J1] axe finds nothing while alerts are firing', async ({ page, context }) => {
  const since = Date.now() - 60_000;
  const alert = (id: string, state: string, acknowledgedByEmail: string | null) => ({
    id,
    state,
    acknowledgedByEmail,
    rule: 'dead_letters',
    unit: 'count',
    subject: id,
    value: 3,
    peak: 4,
    saleId: null,
    saleTitle: null,
    threshold: 0,
    since,
    resolvedAt: null,
    acknowledgedAt: acknowledgedByEmail && since,
    note: acknowledgedByEmail && 'looking into it',
  });
  const alerts = [
    alert('1', 'firing', null),
    alert('2', 'firing', 'a@example.com'),
    alert('3', 'pending', null),
  ];
  // Alerts of other tests come and go.
  await page.route(/\/api\/admin\/alerts\?/, (route) =>
    route.fulfill({ json: { alerts, nextCursor: null, firing: 2, unacknowledged: 1 } }),
  );
  await useSession(context, { client: await demoAdmin() });
  await page.goto('/admin/alerts');
  await expect(region('Alerts')(page).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('complementary').getByRole('link')).toBeVisible();
  await expectAccessible(page, 'alerts');
});

test('[L4] axe finds nothing on a sale page, however the sale stands', async ({ page, context }) => {
  const [{ sale }, shopper, other, merchant] = await Promise.all([
    someOfEverything(),
    newShopper(),
    newShopper(),
    demoMerchant(),
  ]);
  const make = (options: SaleOptions = {}) => newSale({ productId: sale.productId, ...options });
  const now = Date.now();
  const [live, waiting, reserving, puzzle, soldOut, ended, members, paused] = await Promise.all([
    make(),
    make({ startsAt: now + 40 * 60_000, entryOpensAt: now + 30 * 60_000 }),
    make({
      startsAt: now + 3_600_000,
      endsAt: now + 7_200_000,
      reservation: { opensAt: now - 60_000, closesAt: now + 1_800_000 },
    }),
    make({ challenge: 'slider' }),
    make({ totalStock: 1 }),
    make(),
    make({ minLevel: 5 }),
    make(),
  ]);
  await Promise.all([
    buy(other, soldOut.saleId),
    merchant.post(`/api/admin/sales/${ended.saleId}/close`),
    merchant.post(`/api/admin/sales/${paused.saleId}/pause`),
  ]);
  await useSession(context, shopper);
  const states = [
    ['waiting', waiting, buyButton(page, /^Starts in/)],
    ['to be reserved', reserving, buyButton(page, 'Reserve')],
    ['with a puzzle', puzzle, page.getByRole('slider')],
    ['sold out', soldOut, buyButton(page, 'Sold out')],
    ['ended', ended, buyButton(page, 'Ended')],
    ['paused', paused, buyButton(page, 'Paused')],
    ['for others', members, buyButton(page, 'Not available to you')],
    ['live', live, buyButton(page, 'Buy now')],
  ] as const;
  for (const [name, { slug }, shows] of states) {
    await page.goto(`/sales/${slug}`);
    await expect(shows).toBeVisible();
    await expectAccessible(page, `sale page, ${name}`);
  }
  await buyButton(page, 'Buy now').click();
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
  await expectAccessible(page, 'sale page, to be paid');
  await page.goto(`/sales/${puzzle.slug}`);
  await page.getByRole('button', { name: 'Listen and count' }).click();
  await expect(page.getByRole('button', { name: 'Play the beeps' })).toBeVisible();
  await expectAccessible(page, 'sale page, with beeps to count');
  await page.goto(`/zh-CN/sales/${live.slug}`);
  await expect(page.getByRole('link', { name: /^请在 .* 内付款$/ })).toBeVisible();
  await expectAccessible(page, 'sale page in Chinese', ['narrow and dark']);
});

/** Makes part of a page fail to load, as on a bad connection, when the visitor follows a link to it from a working page. */
async function breakWayTo(page: Page, from: string, link: Locator): Promise<void> {
  await page.goto(from);
  await expect(link).toBeVisible();
  const lost = /\/_next\/static\/.*\.js/;
  await page.route(lost, (route) => route.abort());
  await link.click();
  await expect(heading(page, "We couldn't show this page")).toBeVisible();
  await page.unroute(lost);
}

test('[L4] axe finds nothing where a page could not be shown, in the shop and in the admin area', async ({
  page,
  context,
}) => {
  await breakWayTo(page, '/', page.getByRole('banner').getByRole('link', { name: 'Sign in' }));
  await expectAccessible(page, 'error page');
  await useSession(context, { client: await demoAdmin() });
  const nav = page.getByRole('navigation', { name: 'Admin' });
  await breakWayTo(page, '/admin/sales', nav.getByRole('link', { name: 'Queues' }));
  await expect(nav).toBeVisible();
  await expectAccessible(page, 'error page of the admin area');
});

test('[L4] axe finds nothing on the live view, in its dialogs, nor at any step of the form', async ({
  page,
  context,
}) => {
  const { sale } = await someOfEverything();
  await useSession(context, { client: await demoMerchant() });
  await page.goto(`/admin/sales/${sale.saleId}`);
  await expect(page.getByText(ALL_HOLD)).toBeVisible({ timeout: 150_000 });
  await expect(page.getByText(/^Live, as of/)).toBeVisible({ timeout: 150_000 });
  await page.getByRole('button', { name: 'Table: Attempts per second' }).press('Enter');
  await expect(page.getByRole('table', { name: /^Attempts per second/ })).toBeVisible();
  await expectAccessible(page, 'live view');
  for (const opener of ['Pause', 'Change stock', 'Orders written']) {
    await page.getByRole('button', { name: opener, exact: true }).first().press('Enter');
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
    await expectAccessible(page, `live view, ${opener}`);
    await page.keyboard.press('Escape');
  }

  await page.goto('/admin/sales');
  await page.getByRole('button', { name: 'New sale' }).click();
  const steps = page.getByRole('navigation', { name: 'Steps' }).getByRole('button');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByText('This is needed.').first()).toBeVisible();
  for (const step of await steps.all()) {
    await step.press('Enter');
    await expect(step).toHaveAttribute('aria-current', 'step');
    const limits = page.getByText('Rate limits (optional)');
    if (await limits.isVisible()) await limits.click();
    await expectAccessible(page, `create form, ${await step.textContent()}`);
  }
});
