import { expect, type Page, test } from '@playwright/test';
import { newShopper, type Shopper } from '../support/accounts';
import { newCampaign } from '../support/campaigns';
import { expectFocusSeen, expectTellable } from '../support/forced-colours';
import { buy, newSale } from '../support/sales';
import { buyButton, useSession } from '../support/shop';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => Date.now() + hours * HOUR_MS;

/** A page as a shopper meets it, and what it shows once it is all there. */
type Look = {
  path: string;
  shows: (page: Page) => Promise<unknown>;
  /** There is nothing for the keyboard to come to. */
  hasNothingToPress?: true;
};

const newRoom = (admission: 'waiting_room' | 'draw') =>
  newSale({
    admission,
    waitlist: admission === 'draw',
    startsAt: inHours(1),
    endsAt: inHours(2),
    entryOpensAt: inHours(-1),
  });

/** Where one joins with one press, and what stands there afterwards. */
const joins = (join: string, isIn: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await expect(buyButton(page, join)).toBeVisible();
  await expectTellable(page, join);
  await buyButton(page, join).click();
  await isIn(page);
};

const LOOKS: Record<string, (shopper: Shopper) => Promise<Look>> = {
  'a sale before its start': async () => {
    const { slug } = await newSale({ startsAt: inHours(1), endsAt: inHours(2) });
    return {
      path: `/sales/${slug}`,
      shows: (page) => expect(buyButton(page, /^Starts in/)).toBeVisible(),
      hasNothingToPress: true,
    };
  },
  'a sale that runs': async () => {
    const [{ slug, saleId }, other] = await Promise.all([newSale(), newShopper()]);
    await buy(other, saleId);
    return { path: `/sales/${slug}`, shows: (page) => expect(buyButton(page, 'Buy now')).toBeVisible() };
  },
  'a waiting room': async () => {
    const { slug } = await newRoom('waiting_room');
    const isIn = (page: Page) => expect(page.getByRole('button', { name: 'Leave the line' })).toBeVisible();
    return { path: `/sales/${slug}`, shows: joins('Join the line', isIn) };
  },
  'a draw': async () => {
    const { slug } = await newRoom('draw');
    const isIn = (page: Page) => expect(page.getByRole('button', { name: 'Leave the draw' })).toBeVisible();
    return { path: `/sales/${slug}`, shows: joins('Enter the draw', isIn) };
  },
  'a waitlist': async () => {
    const [{ slug, saleId }, owner] = await Promise.all([
      newSale({ totalStock: 1, waitlist: true }),
      newShopper(),
    ]);
    await buy(owner, saleId);
    const isIn = (page: Page) => expect(buyButton(page, 'You are number 1')).toBeVisible();
    return { path: `/sales/${slug}`, shows: joins('Tell me if one comes back', isIn) };
  },
  'a campaign': async () => {
    const campaign = await newCampaign();
    const [{ title, saleId }, other] = await Promise.all([
      newSale({ campaignId: campaign.campaignId }),
      newShopper(),
    ]);
    await buy(other, saleId);
    return {
      path: `/campaigns/${campaign.slug}`,
      shows: (page) => expect(page.getByRole('listitem').getByRole('link', { name: title })).toBeVisible(),
    };
  },
  'an order to pay': async (shopper) => {
    const { saleId } = await newSale();
    const orderNo = await buy(shopper, saleId);
    return {
      path: `/orders/${orderNo}`,
      shows: (page) => expect(page.getByRole('button', { name: /^Pay €/ })).toBeVisible(),
    };
  },
  'a reservation': async () => {
    const { slug } = await newSale({
      startsAt: inHours(2),
      endsAt: inHours(3),
      reservation: { opensAt: Date.now() - 1_000, closesAt: inHours(1) },
    });
    const isIn = (page: Page) => expect(page.getByText(/^Reserved\. Come back/)).toBeVisible();
    return { path: `/sales/${slug}`, shows: joins('Reserve', isIn) };
  },
};

for (const [name, prepare] of Object.entries(LOOKS))
  test(`[P8] with forced colours one sees what can be pressed, how far it is and where the focus is: ${name}`, async ({
    page,
    context,
  }) => {
    const shopper = await newShopper();
    const { path, shows, hasNothingToPress = false } = await prepare(shopper);
    await useSession(context, shopper);
    const look = (colorScheme: 'light' | 'dark') =>
      page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce', colorScheme });
    await look('light');
    await page.goto(path);
    await shows(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await look(colorScheme);
      await expectTellable(page, `${name}, ${colorScheme}`);
      expect((await expectFocusSeen(page, `${name}, ${colorScheme}`)) === 0).toBe(hasNothingToPress);
    }
  });
