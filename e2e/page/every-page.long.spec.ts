import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { demoAdmin } from '../support/accounts';
import { canSleep, sleepWhile } from '../support/asleep';
import { expectFocusSeen, expectTellable } from '../support/forced-colours';
import { someOfEverything, type Things } from '../support/things';
import { translate } from '../support/translator';
import { FOR_PROGRAMMERS, FOR_SHOPPERS, FOR_STRANGERS, FOR_THE_DESK, type Visit } from '../support/visits';
import { watchStreams } from '../support/watch-streams';

/*
 * Every page as few people have it: eight windows at once, translated while they load, in forced colours, and all asleep for
 * a while. What single pages must show then is in the tests of each.
 */

/** More than a browser has connections to a host without HTTP/2. */
const WINDOWS = 8;

type Window = Visit & { page: Page; errors: string[] };

async function open(context: BrowserContext, visit: Visit, things: Things): Promise<Window> {
  const page = await context.newPage();
  const errors: string[] = [];
  // Texts that came translated before React are no fault.
  page.on('pageerror', ({ message }) => /#418/.test(message) || errors.push(message));
  await translate(page);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await expect(async () => {
    await page.goto(visit.path(things));
    await expect(visit.shows(page, things)).toBeVisible({ timeout: 40_000 });
  }).toPass({ timeout: 240_000 });
  return { ...visit, page, errors };
}

async function live(context: BrowserContext, visits: readonly Visit[]): Promise<void> {
  const things = await someOfEverything();
  const streams = watchStreams(context);
  await canSleep(context);
  const windows: Window[] = [];
  for (const visit of visits) windows.push(await open(context, visit, things));
  const last = windows.at(-1)?.page;
  expect(
    await last?.evaluate(() => fetch('/livez', { cache: 'no-store' }).then(({ status }) => status)),
  ).toBe(200);
  expect(streams.seen.most).toBeLessThanOrEqual(1);

  await Promise.all(windows.map(({ page }) => sleepWhile(page, async () => {})));
  for (const { route, page, shows, repeats = 'nothing', errors } of windows) {
    await page.bringToFront();
    await expect(shows(page, things), route).toBeVisible();
    await page.locator(repeats).evaluateAll((elements) => {
      for (const element of elements) element.remove();
    });
    await expectTellable(page, route);
    await expectFocusSeen(page, route);
    expect.soft(errors, route).toEqual([]);
  }
}

const GROUPS = [
  { who: 'strangers', visits: [...FOR_STRANGERS, ...FOR_PROGRAMMERS], client: async () => null },
  { who: 'shoppers', visits: FOR_SHOPPERS, client: async () => (await someOfEverything()).shopper.client },
  { who: 'staff', visits: FOR_THE_DESK, client: demoAdmin },
];

for (const { who, visits, client } of GROUPS)
  for (let from = 0; from < visits.length; from += WINDOWS) {
    const some = visits.slice(from, from + WINDOWS);
    test(`[P7 P8] pages for ${who} in eight windows, translated, asleep and in forced colours, from ${some[0]?.route} on (${from})`, async ({
      context,
    }) => {
      test.setTimeout(900_000);
      await context.addCookies((await client())?.browserCookies() ?? []);
      const again = Array.from({ length: WINDOWS - some.length }, (_, at) => some[at % some.length] as Visit);
      await live(context, [...some, ...again]);
    });
  }
