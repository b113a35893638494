import { expect, test } from '@playwright/test';
import { bestOf } from '../../test/support/best-of';
import { fastPathSecret } from '../support/fast-path-secret';
import { openEventsEarly } from '../support/sale-events';

for (const server of ['the fast path', 'Next'] as const) {
  test(`[A3 A4] the gate comes within a second of the start, by ${server}`, async () => {
    const measure = async () => {
      const { events, startsAt } = await openEventsEarly(server === 'Next' ? fastPathSecret() : undefined);
      await events.until('live');
      events.close();
      return Date.now() - startsAt;
    };
    expect(await bestOf(1_000, measure)).toBeLessThan(1_000);
  });
}
