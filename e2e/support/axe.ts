import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';

/** WCAG 2.2 up to AA, and axe's good practices. No rule is left out. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** The ways to look at a page: together they cover every colour and every width with a layout of its own. */
const LOOKS = {
  'wide and light': { scheme: 'light', size: { width: 1280, height: 800 } },
  'narrow and dark': { scheme: 'dark', size: { width: 390, height: 844 } },
} as const;

type Look = keyof typeof LOOKS;
const BOTH: readonly Look[] = ['wide and light', 'narrow and dark'];

/**
 * Lets axe examine what the page shows now, and reports each finding: the rule, the reason and the place. Continues
 * afterwards, so that one run reports everything.
 * @param what names the examined thing in the report
 */
export async function expectAccessible(page: Page, what: string, looks = BOTH): Promise<void> {
  for (const look of looks) {
    await test.step(`${what}, ${look}`, async () => {
      const { scheme, size } = LOOKS[look];
      // Animations are off, or axe would measure colours in the change from one scheme to the other.
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      // The only frame here shows a mail and runs no script; the other mode would open a second page for each look.
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
      // An empty page has no faults either, so some rules must have passed.
      expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['color-contrast', 'target-size']));
    });
  }
}
