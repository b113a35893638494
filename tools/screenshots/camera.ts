import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, devices, type Locator, type Page } from 'playwright';

const DESKTOP = { viewport: { width: 1280, height: 800 } };
/** As wide as a phone. One image pixel per page pixel keeps the files small. */
const PHONE = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 };

type Look = {
  device?: 'desktop' | 'phone';
  /** Height of the window, in pixels. */
  height?: number;
  colorScheme?: 'light' | 'dark';
  locale?: 'en-US' | 'zh-CN';
};

export type Camera = {
  /**
   * Opens a path in a browser of a signed-in user.
   * @param session the user's cookie, as `name=value`; null: not signed in
   */
  open(session: string | null, path: string, look?: Look): Promise<Page>;
  /** Saves the window's contents as `NAME.png`. */
  take(page: Page, name: string): Promise<void>;
};

/** Makes a camera for the shop at this address; it saves the pictures in the folder `out`. */
export const openCamera = (browser: Browser, origin: string, out: string): Camera => ({
  async open(session, path, { device = 'desktop', height, colorScheme = 'light', locale = 'en-US' } = {}) {
    const { viewport, ...rest } = device === 'phone' ? PHONE : DESKTOP;
    const context = await browser.newContext({
      ...rest,
      viewport: { ...viewport, height: height ?? viewport.height },
      colorScheme,
      locale,
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      baseURL: origin,
    });
    const [name = '', value = ''] = session?.split('=', 2) ?? [];
    if (session) await context.addCookies([{ name, value, url: origin }]);
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  },
  async take(page, name) {
    const path = join(out, `${name}.png`);
    await page.mouse.move(0, 0);
    // Pictures load when they come into sight, so we don't wait for the others.
    await page.waitForFunction(() =>
      [...document.images].every((image) => {
        const { top, bottom } = image.getBoundingClientRect();
        return bottom < 0 || top > innerHeight || (image.complete && image.naturalWidth > 0);
      }),
    );
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    console.log(`${name}.png, ${Math.round(statSync(path).size / 1024)} KB`);
  },
});

/** Scrolls a part of the page to the top of the window, with some space above it. */
export const bringUp = (part: Locator): Promise<void> =>
  part.evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().top + scrollY - 32));

/** Tells whether a font with Chinese is installed: without one, every sign is the same box. */
export async function drawsChinese(browser: Browser): Promise<boolean> {
  const page = await browser.newPage();
  const [one, other] = await page.evaluate(() =>
    ['\u4e2d', '\u6587'].map((sign) => {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      if (context) context.font = '40px system-ui, sans-serif';
      context?.fillText(sign, 10, 60);
      return canvas.toDataURL();
    }),
  );
  await page.close();
  return one !== other;
}
