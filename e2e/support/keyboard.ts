import { expect, type Locator, type Page } from '@playwright/test';

/** More presses than the longest page, the first one with sixty sales, has controls. */
const MOST_PRESSES = 200;

/**
 * Presses Tab until `target` has the focus, like a visitor without a mouse, and expects the focus to be visible.
 * @param key `Shift+Tab` goes the other way
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeEnabled();
  for (let presses = 0; !(await hasFocus(target)); presses += 1) {
    if (presses === MOST_PRESSES) throw new Error(`${target} cannot be reached with ${key}`);
    await page.keyboard.press(key);
  }
  await expectFocusSeen(target);
}

/** Tabs to `target` and presses the key. */
export async function pressOn(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Expects the focus on `target`, and an outline around it or around its card. */
export async function expectFocusSeen(target: Locator): Promise<void> {
  await expect(target).toBeFocused();
  await expect.poll(() => isOutlined(target), `nothing shows that the focus is at ${target}`).toBe(true);
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

const isOutlined = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) return true;
    }
    return false;
  });
