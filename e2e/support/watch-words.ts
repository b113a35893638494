import type { Page } from '@playwright/test';

/**
 * Records every text that elements of a page show from now on, for words that stand there only for a moment: a busy
 * machine would look after they have gone.
 * @param within the selector of the elements
 * @returns a function that returns what they have said so far
 */
export async function watchWords(page: Page, within: string): Promise<() => Promise<string[]>> {
  await page.evaluate((selector) => {
    const words = new Set<string>();
    Object.assign(window, { words });
    const look = () => {
      for (const element of document.querySelectorAll(selector)) words.add(element.textContent ?? '');
    };
    look();
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  }, within);
  return () => page.evaluate(() => [...(window as unknown as { words: Set<string> }).words]);
}
