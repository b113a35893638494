import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';

/** WCAG 2.2 up to AA, and what axe calls good practice. No rule is left out. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** How people look at a page: between them these have every colour and every width there is a layout for. */
const LOOKS = {
  'wide and light': { scheme: 'light', size: { width: 1280, height: 800 } },
  'narrow and dark': { scheme: 'dark', size: { width: 390, height: 844 } },
} as const;

type Look = keyof typeof LOOKS;
const BOTH: readonly Look[] = ['wide and light', 'narrow and dark'];

/**
 * Has axe look at what the page shows now, and says what it finds: the rule, why, and where. Goes on after that, so that
 * one run tells everything.
 * @param what what is looked at, for the report
 */
export async function expectAccessible(page: Page, what: string, looks = BOTH): Promise<void> {
  for (const look of looks) {
    await test.step(`${what}, ${look}`, async () => {
      const { scheme, size } = LOOKS[look];
      // Without motion, or colours would be measured on their way from one scheme to the other.
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      // Nothing here is in a frame; the other mode would open a second page for each look.
      const { violations, passes } = await new AxeBuilder({ page })
        .options({ runOnly: TAGS, resultTypes: ['violations'] })
        .setLegacyMode()
        .analyze();
      const found = violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary = '' }) =>
          [`${id}: ${help}`, `at ${target.join(' ')}`, ...failureSummary.split('\n').slice(1)].join('\n    '),
        ),
      );
      expect.soft(found, `${what}, ${look}`).toEqual([]);
      // An empty page has no faults either.
      expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['color-contrast', 'target-size']));
    });
  }
}
