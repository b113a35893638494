import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/axe';
import { newSale } from '../support/sales';
import { useSession } from '../support/shop';
import { someOfEverything, type Things } from '../support/things';

const LANGUAGES = { en: 'English', 'zh-CN': '简体中文', 'zh-TW': '繁體中文', ru: 'Русский' } as const;
type Locale = keyof typeof LANGUAGES;
const LOCALES = Object.keys(LANGUAGES) as Locale[];
const at = (locale: Locale, path: string) =>
  locale === 'en' ? path : `/${locale}${path === '/' ? '' : path}`;

type Tree = { [key: string]: string | Tree };
const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
const textsOf = (locale: Locale): Map<string, string> => {
  const file = join(import.meta.dirname, `../../messages/${locale}.json`);
  return new Map(flatten(JSON.parse(readFileSync(file, 'utf8')) as Tree));
};
const english = textsOf('en');

/** The pages that a shopper meets, and what shows that a page's content has come. */
const PAGES: readonly { path: (things: Things) => string; shows: string }[] = [
  { path: () => '/', shows: 'main a[href*="/sales/"]' },
  { path: ({ sale }) => `/sales/${sale.slug}`, shows: 'main .buy-bar :is(a, button)' },
  { path: () => '/orders', shows: 'main a[href*="/orders/"]' },
  { path: ({ unpaidOrderNo }) => `/orders/${unpaidOrderNo}`, shows: 'main time' },
  { path: ({ paidOrderNo }) => `/orders/${paidOrderNo}`, shows: 'main time' },
  { path: () => '/notifications', shows: 'main h1' },
  { path: () => '/account', shows: 'main select' },
];

test.describe.configure({ timeout: 900_000 });

for (const locale of LOCALES) {
  test(`[O8 L4] a shopper's pages speak ${locale} alone, and axe finds nothing`, async ({
    page,
    context,
  }) => {
    const things = await someOfEverything();
    const translated = textsOf(locale);
    const look = async (path: string, shows: string) => {
      await page.goto(at(locale, path));
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      await page.locator(shows).first().waitFor();
      await expectSpoken(page, locale, translated);
      await expectAccessible(page, at(locale, path), [
        locale === 'ru' ? 'narrow and dark' : 'wide and light',
      ]);
      const [wide = 0, room = 0] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect.soft(wide, `width of ${path}`).toBeLessThanOrEqual(room);
    };
    for (const path of ['/signin', '/register', '/missing']) await look(path, 'main h1');
    await useSession(context, things.shopper);
    for (const { path, shows } of PAGES) await look(path(things), shows);
  });
}

/** Expects no name of a message, and no English text that the language has its own for. */
async function expectSpoken(page: Page, locale: Locale, translated: ReadonlyMap<string, string>) {
  const shown = await page.evaluate(() => {
    const texts: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest('script, style, noscript')) texts.push(node.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
    }
    return texts.map((text) => text.trim());
  });
  expect.soft(shown.filter((text) => english.has(text))).toEqual([]);
  const foreign = new Set(
    [...english].filter(([key, text]) => translated.get(key) !== text).map(([, text]) => text),
  );
  expect.soft(locale === 'en' ? [] : shown.filter((text) => foreign.has(text))).toEqual([]);
}

test('[O8] the menu of languages works by keyboard, names each in itself, and keeps path and query', async ({
  page,
}) => {
  const { slug } = await newSale();
  await page.goto(`/ru/sales/${slug}?from=mail#main`);
  const menu = page.getByRole('banner').locator('details');
  const summary = menu.locator('summary');
  await expect(summary).toHaveText('Язык:Русский');
  // Before the page's script has come, the links know no path, and Escape does nothing.
  await expect(menu.locator('a[hreflang="zh-TW"]')).toHaveAttribute('href', new RegExp(`/sales/${slug}$`));
  await summary.focus();
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('link')).toContainText(Object.values(LANGUAGES));
  await expect(menu.getByRole('link', { name: 'Русский' })).toHaveAttribute('aria-current', 'true');
  await expect(menu.locator('[aria-current]')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(menu.getByRole('link')).toHaveCount(0);
  await expect(summary).toBeFocused();
  await page.keyboard.press('Enter');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab');
  await expect(menu.getByRole('link', { name: '繁體中文' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/zh-TW/sales/${slug}\\?from=mail#main$`));
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW');
  const english = page.getByRole('contentinfo').getByRole('link', { name: 'English' });
  await expect(english).toHaveAttribute('href', new RegExp(`/sales/${slug}$`));
  await english.click();
  await expect(page).toHaveURL(new RegExp(`[^/]/sales/${slug}\\?from=mail#main$`));
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('[O8] the menu of languages is links', async ({ page }) => {
    const { slug } = await newSale();
    await page.goto(`/sales/${slug}`);
    await page.getByRole('banner').locator('summary').click();
    await page.getByRole('banner').getByRole('link', { name: 'Русский' }).click();
    await expect(page).toHaveURL(/\/ru(\/|$)/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  });
});

test.describe('a browser from Hong Kong', () => {
  test.use({ locale: 'zh-HK' });

  test('[O8] is offered 繁體中文 where the page speaks another language', async ({ page }) => {
    await page.goto('/signin?callbackUrl=/orders');
    await page.getByRole('banner').getByRole('link', { name: '繁體中文' }).click();
    await expect(page).toHaveURL(/\/zh-TW\/signin\?callbackUrl=\/orders$/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW');
    await expect(page.getByRole('banner').getByRole('link', { name: '繁體中文' })).toHaveCount(0);
  });
});
