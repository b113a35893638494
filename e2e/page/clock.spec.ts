import { expect, type Page, test } from '@playwright/test';
import { bestOf } from '../../test/support/best-of';
import { newShopper } from '../support/accounts';
import { newSale } from '../support/sales';
import { buyButton, useSession } from '../support/shop';

const MINUTE_MS = 60_000;

type Tick = { text: string; at: number };

/**
 * Sets the device's clock wrong and records when the button's text changes. It measures with the performance clock,
 * which the wrong clock does not affect: it reads that clock's origin before it changes the device's clock.
 */
async function watchWithWrongClock(page: Page, wrongByMs: number): Promise<void> {
  await page.addInitScript((offsetMs) => {
    const RealDate = Date;
    const origin = RealDate.now() - performance.now();
    class WrongDate extends RealDate {
      constructor(...args: unknown[]) {
        if (args.length === 0) super(RealDate.now() + offsetMs);
        else super(...(args as [number]));
      }
      static override now = () => RealDate.now() + offsetMs;
    }
    globalThis.Date = WrongDate as DateConstructor;
    const ticks: { text: string; at: number }[] = [];
    Object.assign(globalThis, { ticks });
    let last = '';
    const look = () => {
      for (const button of document.querySelectorAll('main button')) {
        const text = button.textContent ?? '';
        if (!/^(Starts in|Opening|Buy now)/.test(text) || text === last) continue;
        last = text;
        ticks.push({
          text: button.ariaDisabled === 'true' ? text : `${text}!`,
          at: origin + performance.now(),
        });
      }
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  }, wrongByMs);
}

const readTicks = (page: Page) => page.evaluate(() => (globalThis as unknown as { ticks: Tick[] }).ticks);

for (const wrongByMs of [10 * MINUTE_MS, -10 * MINUTE_MS]) {
  test(`[A3 A4] the countdown is right within 100 ms with a clock ${wrongByMs / MINUTE_MS} min off, and never early`, async ({
    page,
    context,
  }) => {
    test.setTimeout(900_000);
    await useSession(context, await newShopper());
    await watchWithWrongClock(page, wrongByMs);
    // A busy machine may stand still while the countdown runs, or when the sale starts.
    let aheadMs = 10_000;
    const countDown = async () => {
      await page.goto('about:blank');
      const startsAt = Date.now() + aheadMs;
      aheadMs = Math.min(aheadMs * 1.5, 30_000);
      const { slug } = await newSale({ startsAt });
      // Tests the worst order of answers: the state comes while the page still believes the device's clock.
      const answered = page.waitForResponse(/\/state$/);
      const clock = '**/state?clock=*';
      await page.route(clock, async (route) => {
        await answered;
        await route.continue();
      });
      await page.goto(`/sales/${slug}`);
      expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now())).toBeGreaterThan(9 * MINUTE_MS);
      await expect(buyButton(page, 'Buy now')).toBeEnabled({ timeout: 120_000 });
      await page.unroute(clock);

      const ticks = await readTicks(page);
      // "00:05" appears when exactly 5 s are left.
      const errors = ticks.flatMap(({ text, at }, i) => {
        const seconds = /^Starts in 00:(\d\d)$/.exec(text)?.[1];
        // Skips the first text: it dates from the moment the page hydrated, not from a tick.
        return seconds === undefined || i === 0 ? [] : [at - (startsAt - Number(seconds) * 1000)];
      });
      const [median = Number.NaN] = errors.sort((a, b) => a - b).slice(Math.floor(errors.length / 2));
      console.log(
        `      off by ${median.toFixed(0)} ms (${errors.map((error) => error.toFixed(0)).join(', ')})`,
      );
      const opened = ticks.find(({ text }) => text === 'Buy now!');
      expect(opened?.at).toBeGreaterThanOrEqual(startsAt);
      expect(ticks.filter(({ text, at }) => text.endsWith('!') && at < startsAt)).toEqual([]);
      const isSeen = errors.length >= 3;
      const isSoonOpen = (opened?.at ?? 0) - startsAt < 5_000;
      return isSeen && isSoonOpen ? Math.abs(median) : Number.POSITIVE_INFINITY;
    };
    expect(await bestOf(100, countDown, 10)).toBeLessThanOrEqual(100);
  });
}

test('[A7] with the state out of reach the page says so and offers no button that cannot work', async ({
  page,
  context,
}) => {
  await useSession(context, await newShopper());
  const { slug } = await newSale();
  await page.route('**/api/sales/*/events', (route) => route.abort());
  await page.goto(`/sales/${slug}`);
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  const state = '**/api/sales/*/state*';
  await page.route(state, (route) => route.abort());
  await expect(page.getByRole('main').getByRole('alert')).toContainText("We couldn't reach the shop");
  const notice = page.getByText("The countdown goes on by the shop's clock as we last knew it.");
  await expect(notice).toBeVisible();
  await expect(buyButton(page, 'Reconnecting…')).toBeDisabled();
  await page.unroute(state);
  await expect(buyButton(page, 'Buy now')).toBeEnabled({ timeout: 150_000 });
  await expect(notice).toBeHidden();
});

test('[A7] a page opened while the state is out of reach counts down and opens once it is back', async ({
  page,
  context,
}) => {
  await useSession(context, await newShopper());
  const startsAt = Date.now() + 3000;
  const { slug } = await newSale({ startsAt });
  const state = '**/api/sales/*/state*';
  await page.route(state, (route) => route.abort());
  await page.goto(`/sales/${slug}`);
  await expect(page.getByRole('main').getByRole('alert')).toContainText("We couldn't reach the shop");
  await expect.poll(() => Date.now()).toBeGreaterThan(startsAt + 500);
  await expect(buyButton(page, 'Buy now')).toBeHidden();
  await page.unroute(state);
  await expect(buyButton(page, 'Buy now')).toBeEnabled({ timeout: 150_000 });
});
