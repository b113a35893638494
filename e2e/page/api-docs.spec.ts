import { expect, test } from '@playwright/test';
import { documentedOperations } from '../support/contract';
import { heading } from '../support/shop';

test.describe('without scripts, on a phone', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test('[L3] the page of the interface shows every operation and leads to it', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'HTTP interface' }).click();
    await expect(heading(page, 'HTTP interface')).toBeVisible();
    const titles = await page.getByRole('heading', { level: 3 }).allTextContents();
    const documented = (await documentedOperations()).map(({ operationId }) => operationId);
    expect(documented.filter((id) => !titles.includes(id))).toEqual([]);

    await page.getByText('Contents', { exact: true }).click();
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'payOrder' }).click();
    await expect(page).toHaveURL(/#payOrder$/);
    await expect(page.getByRole('heading', { name: 'payOrder' })).toBeInViewport();
    const targets = await page
      .locator('main a[href^="#"]')
      .evaluateAll((links) =>
        links
          .map((link) => link.getAttribute('href') ?? '')
          .filter((href) => !document.getElementById(href.slice(1))),
      );
    expect(targets).toEqual([]);
    const [wide, room] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(wide).toBe(room);
  });

  test('[L3] its headers fit into what nginx keeps for them: each inline script of a page has its hash there', async ({
    page,
  }) => {
    const headers = (await (await page.goto('/docs/api'))?.allHeaders()) ?? {};
    expect(Object.entries(headers).join('\r\n').length).toBeLessThan(4_096);
  });

  test('[L3] it is there in Chinese too', async ({ page }) => {
    await page.goto('/zh-CN/docs/api');
    await expect(heading(page, 'HTTP 接口')).toBeVisible();
    await expect(page.getByRole('link', { name: 'openapi.json' })).toHaveAttribute(
      'href',
      '/api/openapi.json',
    );
  });
});
