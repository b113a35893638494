import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, devices, type Page } from 'playwright';

const DESKTOP = { viewport: { width: 1280, height: 800 } };
/** As wide as phones are; one image pixel for each of the page's keeps the files small. */
const PHONE = { ...devices['Pixel 7'], viewport: { width: 390, height: 780 }, deviceScaleFactor: 1 };

export type Look = {
  device?: 'desktop' | 'phone';
  colorScheme?: 'light' | 'dark';
  locale?: 'en-US' | 'zh-CN';
};

export type Camera = {
  /** A browser of somebody who is signed in, at a path. @param session its cookie, as `name=value`; null: a stranger */
  open(session: string | null, path: string, look?: Look): Promise<Page>;
  /** Writes what the window shows as `NAME.png`. */
  take(page: Page, name: string): Promise<void>;
};

/** Pictures of the shop at this address, into this folder. */
export const openCamera = (browser: Browser, origin: string, out: string): Camera => ({
  async open(session, path, { device = 'desktop', colorScheme = 'light', locale = 'en-US' } = {}) {
    const context = await browser.newContext({
      ...(device === 'phone' ? PHONE : DESKTOP),
      ...{ colorScheme, locale, timezoneId: 'UTC', reducedMotion: 'reduce', baseURL: origin },
    });
    const [name = '', value = ''] = session?.split('=', 2) ?? [];
    if (session) await context.addCookies([{ name, value, url: origin }]);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  },
  async take(page, name) {
    const path = join(out, `${name}.png`);
    await page.evaluate(() => document.fonts.ready);
    await page.mouse.move(0, 0);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    console.log(`${name}.png, ${Math.round(statSync(path).size / 1024)} KB`);
  },
});
