import { expect, test } from '@playwright/test';
import { baseUrl } from '../support/base-url';
import { Client, comeAgain } from '../support/client';
import { newSale } from '../support/sales';

const at = (path: string) => new URL(path, baseUrl).href;

test('[O9] a sale page names its address, its other languages, and what is sold', async ({ page }) => {
  const { slug, title } = await newSale();
  await page.goto(`/zh-CN/sales/${slug}`);
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', at(`/zh-CN/sales/${slug}`));
  await expect(page.locator('link[hreflang=en]')).toHaveAttribute('href', at(`/sales/${slug}`));
  await expect(page.locator('link[hreflang=x-default]')).toHaveAttribute('href', at(`/sales/${slug}`));
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', title);
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content');
  const shown = await comeAgain(() => fetch(picture ?? ''));
  expect(shown.headers.get('content-type')).toMatch(/^image\/(?:png|webp)$/);
  const data = await page.locator('script[type="application/ld+json"]').textContent();
  expect(JSON.parse(data ?? '')).toMatchObject({
    '@type': 'Product',
    name: title,
    offers: { price: '42.00', priceCurrency: 'EUR', url: at(`/sales/${slug}`) },
  });
});

test('[O9] browsers learn the name, colours and pictures of the shop', async ({ page }) => {
  const { slug } = await newSale();
  await page.goto(`/sales/${slug}`);
  await expect(page.locator('meta[name=theme-color]')).toHaveCount(2);
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await comeAgain(() => fetch(at(address ?? '')));
  expect(answer.headers.get('content-type')).toMatch(/^application\/manifest\+json/);
  const { name, icons } = (await answer.json()) as { name: string; icons: { src: string; type: string }[] };
  expect(name).toBe('Seckill');
  for (const { src, type } of icons)
    expect((await comeAgain(() => fetch(at(src)))).headers.get('content-type'), src).toContain(type);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('[O9 O10] a sale page gives its address to share and its event for the calendar', async ({ page }) => {
    const startsAt = Date.now() + 3_600_000;
    const { slug, saleId } = await newSale({ startsAt, endsAt: startsAt + 3_600_000 });
    await page.goto(`/zh-CN/sales/${slug}`);
    await page.getByText('分享', { exact: true }).click();
    await expect(page.getByLabel('本页地址')).toHaveValue(at(`/zh-CN/sales/${slug}`));
    const calendar = page.getByRole('link', { name: '加入日历' });
    await expect(calendar).toHaveAttribute('href', `/api/sales/${saleId}/calendar.ics?locale=zh-CN`);
    const answer = await new Client().get((await calendar.getAttribute('href')) ?? '');
    expect(answer.text).toContain('BEGIN:VEVENT');
  });
});

test('[O9 N11] robots.txt leads to the sitemap, and both come from memory', async () => {
  const robots = await new Client().get('/robots.txt');
  expect(robots.text).toContain(`Sitemap: ${at('/sitemap.xml')}`);
  expect(robots.text).toMatch(/^Disallow: \/zh-CN\/admin$/m);
  expect(robots.headers.get('content-type')).toMatch(/^text\/plain/);
  const sitemap = await new Client().get('/sitemap.xml');
  expect(sitemap.headers.get('content-type')).toMatch(/^application\/xml/);
  expect(sitemap.text).toContain('<urlset');
  // A sale that another test makes renews them; the next request finds them kept again.
  for (const path of ['/robots.txt', '/sitemap.xml'])
    await expect
      .poll(async () => (await new Client().get(path)).headers.get('x-nextjs-cache'), {
        timeout: 150_000,
        intervals: [50, 100, 250, 500],
      })
      .toBe('HIT');
});
