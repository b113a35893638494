import { expect, test } from '@playwright/test';
import { Client } from '../support/client';
import { documentedOperations } from '../support/contract';
import { heading } from '../support/shop';

test.describe('without scripts, on a phone', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test('[L3] the page of the interface shows every operation and leads to it', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'HTTP interface' }).click();
    await expect(heading(page, 'HTTP interface')).toBeVisible();
    const names = await page.locator('main li').getByRole('link').allTextContents();
    const documented = (await documentedOperations()).map(({ operationId }) => operationId);
    expect(documented.filter((id) => !names.includes(id))).toEqual([]);

    await page.getByRole('main').getByRole('link', { name: 'payOrder' }).click();
    await expect(page).toHaveURL(/\/docs\/api\/orders#payOrder$/);
    await expect(page.getByRole('heading', { name: 'payOrder' })).toBeInViewport();
    const [wide, room] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(wide).toBe(room);
  });

  test('[L3] each link in it leads somewhere, within its pages too @long', async () => {
    const client = new Client();
    const read = async (path: string) => {
      const { status, text } = await client.get(path);
      expect(status, path).toBe(200);
      const targets = [...text.matchAll(/href="(\/docs\/api[^"]*)"/g)].map(([, href = '']) => href);
      return { text, targets };
    };
    const chapters = new Map<string, string>();
    const wanted = new Set(['/docs/api']);
    for (const address of wanted) {
      const [path = '', place] = address.split('#');
      if (!chapters.has(path)) {
        const { text, targets } = await read(path);
        chapters.set(path, text);
        for (const target of targets) wanted.add(target);
      }
      if (place) expect(chapters.get(path), address).toContain(`id="${place}"`);
    }
    expect(chapters.size).toBeGreaterThan(15);
    expect((await client.get('/docs/api/nothing')).status).toBe(404);
  });

  test('[L3] no page of it is heavy @long', async () => {
    const client = new Client();
    const { text } = await client.get('/docs/api');
    expect(text.length).toBeLessThan(220_000);
    const chapters = new Set([...text.matchAll(/href="(\/docs\/api\/[^"#]+)/g)].map(([, href = '']) => href));
    for (const path of chapters) {
      const { length } = (await client.get(path)).text;
      // All objects stand on one page; a sixteenth of it goes over the wire.
      expect(length, path).toBeLessThan(path.endsWith('/objects') ? 640_000 : 240_000);
    }
  });

  test('[L3] its headers fit into what nginx keeps for them: each inline script of a page has its hash there', async ({
    page,
  }) => {
    for (const path of ['/docs/api', '/docs/api/objects']) {
      const headers = (await (await page.goto(path))?.allHeaders()) ?? {};
      expect(Object.entries(headers).join('\r\n').length).toBeLessThan(4_096);
    }
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
