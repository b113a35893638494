import { expect, test } from '@playwright/test';
import { demoAdmin, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { BOTH_LOOKS } from '../support/both-looks';
import { heading, useSession } from '../support/shop';

const WORDS = {
  English: {
    // Each story has a page of its own: both change the footer of every page.
    page: 'privacy',
    name: 'Privacy',
    own: 'English',
    other: '简体中文',
    otherPath: '/zh-CN',
    otherName: '隐私政策',
    lang: 'en',
    heading: 'Pages',
    pageField: 'Page',
    language: 'Language',
    text: 'Text',
    publish: 'Publish',
    published: '“Privacy” is published.',
    takenBack: '“Privacy” is taken back.',
    footer: 'About this shop',
    toasts: /^What was done/,
  },
  Chinese: {
    page: 'terms',
    name: '服务条款',
    own: '简体中文',
    other: 'English',
    otherPath: '',
    otherName: 'Terms',
    lang: 'zh-CN',
    heading: '页面',
    pageField: '页面',
    language: '语言',
    text: '正文',
    publish: '发布',
    published: '“服务条款”已发布。',
    takenBack: '“服务条款”已撤下。',
    footer: '关于本店',
    toasts: /^刚才的操作/,
  },
};

for (const { language, path, viewport } of BOTH_LOOKS)
  test(`[O11] an admin writes a page in one language: the footer leads to it everywhere, another language shows it too, and taken back it is gone (${language})`, async ({
    page,
    browser,
  }) => {
    const words = WORDS[language];
    const look = [language === 'English' ? 'wide and light' : 'narrow and dark'] as const;
    const [first, second] = [`One ${unique()}`, `Two <b>${unique()}</b>`];
    await page.setViewportSize(viewport);
    await useSession(page.context(), { client: await demoAdmin() });
    const context = await browser.newContext({ viewport });
    const visitor = await context.newPage();
    expect((await visitor.goto(`${path}/info/${words.page}`))?.status()).toBe(404);

    await page.goto(`${path}/admin/pages`);
    await expect(heading(page, words.heading)).toBeVisible();
    await page.getByRole('combobox', { name: words.pageField, exact: true }).selectOption(words.name);
    await page.getByRole('combobox', { name: words.language, exact: true }).selectOption(words.own);
    const text = page.getByRole('textbox', { name: words.text, exact: true });
    const publish = page.getByRole('button', { name: words.publish, exact: true });
    await expect(publish).toBeDisabled();
    await text.fill(`${first}\n\n${second}`);
    await publish.click();
    const toast = page.getByRole('region', { name: words.toasts });
    await expect(toast).toContainText(words.published);
    await expectAccessible(page, 'a page is written', look);

    // Made by the build, which knew no pages; the shop renews it within a moment.
    const link = visitor
      .getByRole('navigation', { name: words.footer })
      .getByRole('link', { name: words.name });
    const open = (address: string, isShown: boolean) =>
      expect(async () => {
        await visitor.goto(address);
        await expect(link).toHaveCount(isShown ? 1 : 0, { timeout: 10_000 });
      }).toPass({ timeout: 120_000 });
    await open(`${path}/register`, true);
    await link.click();
    await expect(heading(visitor, words.name)).toBeVisible();
    // Two paragraphs, and no markup.
    await expect(visitor.getByText(first, { exact: true })).toBeVisible();
    await expect(visitor.getByText(second, { exact: true })).toBeVisible();
    await expectAccessible(visitor, 'a page of the shop', look);

    await expect(async () => {
      await visitor.goto(`${words.otherPath}/info/${words.page}`);
      await expect(heading(visitor, words.otherName)).toBeVisible({ timeout: 10_000 });
    }).toPass({ timeout: 120_000 });
    await expect(visitor.locator(`main [lang="${words.lang}"]`)).toContainText(first);

    await text.fill('');
    await publish.click();
    await expect(toast).toContainText(words.takenBack);
    await open(`${path}/register`, false);
    await expect
      .poll(async () => (await visitor.goto(`${path}/info/${words.page}`))?.status(), { timeout: 150_000 })
      .toBe(404);
    await context.close();
  });
