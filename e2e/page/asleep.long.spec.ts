import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper, type Shopper } from '../support/accounts';
import { canSleep, sleepWhile } from '../support/asleep';
import { newCampaign } from '../support/campaigns';
import { leadMs } from '../support/lead-time';
import { buy, editSale, newRoom, newSale, stateOf } from '../support/sales';
import { buyButton, buyLink, buyOnPage } from '../support/shop';

const HOUR_MS = 3_600_000;
/** All pages must have come before the start, and what they plan for the start must be further away than anybody waits. */
const LEAD_MS = 60_000;
const START = { timeout: 400_000 };
/** Longer than a test waits for what it wants to see. */
const DEEP_MS = 120_000;
/** How long the network takes to come back. */
const NETWORK_MS = 3_000;

/** A page, and what happens while the device sleeps. */
type Sleep = {
  path: string;
  /** Called before the page opens. `awake` resolves once the device has woken up. */
  late?: (page: Page, awake: Promise<void>) => Promise<unknown>;
  /** Shown before. */
  before: (page: Page) => Promise<unknown>;
  meanwhile: () => Promise<unknown>;
  /** Shown once awake. */
  after: (page: Page) => Promise<unknown>;
};

type Prepare = (given: {
  shopper: Shopper;
  /** How many ms to leave until a start. */
  aheadMs: number;
}) => Promise<Sleep>;

const change = async (saleId: string, verb: string) =>
  (await demoMerchant()).post(`/api/admin/sales/${saleId}/${verb}`);
const lineOf = async (saleId: string) =>
  (await stateOf(saleId)).line as { admitted: number; early: number | null };
const inHours = (hours: number) => Date.now() + hours * HOUR_MS;

/** Makes a sale that opens and starts while the device sleeps. */
async function startingSale(aheadMs: number): Promise<Sleep> {
  const startsAt = Date.now() + aheadMs;
  const { slug, saleId } = await newSale({ startsAt, entryOpensAt: startsAt - 3_000, endsAt: inHours(1) });
  return {
    path: `/sales/${slug}`,
    before: (page) => expect(buyButton(page, /^Starts in/)).toBeVisible(),
    meanwhile: () => expect.poll(async () => (await stateOf(saleId)).gate, START).toBeTruthy(),
    after: buyOnPage,
  };
}

const SLEEPS: Record<string, Prepare> = {
  'a sale whose entry opens and which starts': async ({ aheadMs }) => startingSale(aheadMs),
  'a sale that learns only then who looks at it, and what time it is': async ({ aheadMs }) => ({
    ...(await startingSale(DEEP_MS + aheadMs)),
    late: async (page, awake) => {
      await page.route('**/api/visit*', async (route) => {
        await awake;
        await route.continue();
      });
      await page.route('**/state?clock=*', async (route) => {
        await awake;
        await delay(NETWORK_MS);
        await route.continue();
      });
    },
  }),
  'a sale that is paused': async () => {
    const { slug, saleId } = await newSale();
    return {
      path: `/sales/${slug}`,
      before: (page) => expect(buyButton(page, 'Buy now')).toBeVisible(),
      meanwhile: () => change(saleId, 'pause'),
      after: (page) => expect(buyButton(page, 'Paused')).toBeVisible(),
    };
  },
  'a waiting room whose turn comes': async ({ shopper, aheadMs }) => {
    const startsAt = Date.now() + aheadMs;
    const { slug, saleId } = await newRoom('waiting_room', { startsAt });
    expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
    return {
      path: `/sales/${slug}`,
      before: (page) => expect(page.getByText('in the waiting room', { exact: true })).toBeVisible(),
      meanwhile: () => expect.poll(async () => (await lineOf(saleId)).admitted, START).toBe(1),
      after: buyOnPage,
    };
  },
  'a waiting room that was left on another device': async ({ shopper }) => {
    const { slug, saleId } = await newRoom('waiting_room');
    expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
    return {
      path: `/sales/${slug}`,
      before: (page) => expect(page.getByText('in the waiting room', { exact: true })).toBeVisible(),
      meanwhile: () => shopper.client.request('DELETE', `/api/sales/${saleId}/line`),
      after: (page) => expect(buyButton(page, 'Join the line')).toBeVisible(),
    };
  },
  'a draw that is drawn': async ({ shopper, aheadMs }) => {
    const startsAt = Date.now() + aheadMs;
    const { slug, saleId } = await newRoom('draw', { startsAt });
    expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
    const drawn = async () => (await shopper.client.get(`/api/sales/${saleId}/line`)).body.draw;
    return {
      path: `/sales/${slug}`,
      before: (page) => expect(buyButton(page, 'Leave the draw')).toBeVisible(),
      meanwhile: () => expect.poll(drawn, START).toMatchObject({ orderNo: expect.any(String) }),
      after: (page) => expect(buyLink(page, /^Pay within/)).toBeVisible(),
    };
  },
  'a waitlist to which a unit comes back': async ({ shopper }) => {
    const owner = await newShopper();
    const { slug, saleId } = await newSale({ totalStock: 1, waitlist: true });
    const orderNo = await buy(owner, saleId);
    return {
      path: `/sales/${slug}`,
      before: async (page) => {
        await buyButton(page, 'Tell me if one comes back').click();
        await expect(buyButton(page, 'You are number 1')).toBeVisible();
      },
      meanwhile: async () => {
        expect((await owner.client.post(`/api/orders/${orderNo}/cancel`)).status).toBe(200);
        const place = async () => (await shopper.client.get(`/api/sales/${saleId}/waitlist`)).body.state;
        await expect.poll(place, START).toBe('given');
      },
      after: (page) => expect(buyLink(page, /^Pay within/)).toBeVisible(),
    };
  },
  'a campaign whose next sale moves': async () => {
    const campaign = await newCampaign();
    const [startsAt, later] = [inHours(2), inHours(5)];
    const { saleId } = await newSale({ campaignId: campaign.campaignId, startsAt, endsAt: inHours(9) });
    const shown = (page: Page, at: number) =>
      expect(page.locator(`section time[datetime="${new Date(at).toISOString()}"]`).first()).toBeVisible();
    return {
      path: `/campaigns/${campaign.slug}`,
      before: (page) => shown(page, startsAt),
      meanwhile: async () => expect((await editSale(saleId, { startsAt: later })).status).toBe(200),
      after: (page) => shown(page, later),
    };
  },
  'an order that is cancelled': async ({ shopper }) => {
    const { saleId } = await newSale();
    const orderNo = await buy(shopper, saleId);
    return {
      path: `/orders/${orderNo}`,
      before: (page) => expect(page.getByRole('button', { name: /^Pay €/ })).toBeVisible(),
      meanwhile: () => shopper.client.post(`/api/orders/${orderNo}/cancel`),
      after: (page) => expect(page.getByText('Cancelled').first()).toBeVisible(),
    };
  },
  'a reservation that was cancelled on another device': async ({ shopper }) => {
    const { slug, saleId } = await newSale({
      startsAt: inHours(2),
      endsAt: inHours(3),
      reservation: { opensAt: Date.now() - 1_000, closesAt: inHours(1) },
    });
    expect((await shopper.client.post(`/api/sales/${saleId}/reservation`)).status).toBe(201);
    return {
      path: `/sales/${slug}`,
      before: (page) => expect(page.getByText(/^Reserved\. Come back/)).toBeVisible(),
      meanwhile: () => shopper.client.request('DELETE', `/api/sales/${saleId}/reservation`),
      after: (page) => expect(buyButton(page, 'Reserve')).toBeVisible(),
    };
  },
};

// At once: they wait for most of their time.
test('[P7 A3] a laptop that slept shows what is so now, on each page that follows something', async ({
  browser,
  page,
}) => {
  test.setTimeout(900_000);
  const aheadMs = await leadMs(page, LEAD_MS);
  const names = Object.keys(SLEEPS);
  const ends = await Promise.allSettled(
    names.map((name) => test.step(name, () => sleep(browser, name, aheadMs))),
  );
  expect(
    ends.flatMap((end, at) => (end.status === 'rejected' ? [`${names[at]}: ${end.reason}`] : [])),
  ).toEqual([]);
});

async function sleep(browser: Browser, name: string, aheadMs: number): Promise<void> {
  const shopper = await newShopper();
  const context = await browser.newContext();
  await context.addCookies(shopper.client.browserCookies());
  await canSleep(context);
  const page = await context.newPage();
  const { path, late, before, meanwhile, after } = await (SLEEPS[name] as Prepare)({ shopper, aheadMs });
  let wake = () => {};
  await late?.(page, new Promise((resolve) => (wake = resolve)));
  await page.goto(path);
  await before(page);
  await sleepWhile(page, meanwhile);
  wake();
  await after(page);
  await context.close();
}
