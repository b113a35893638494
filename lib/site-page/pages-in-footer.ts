import 'server-only';
import { nowMs } from '@/lib/clock';
import type { SitePage } from '@/lib/contract/words/site-page';
import { processWide } from '@/lib/process-wide';
import { listWrittenPages } from './list-written-pages';

/** A build makes hundreds of pages; it must not wait for a database once for each. */
const ASK_AGAIN_AFTER_MS = 10_000;

type Known = { pages: SitePage[]; failedAt: number | null };

const known = processWide('pages-in-footer', (): Known => ({ pages: [], failedAt: null }));

/**
 * Returns the pages to which the footer links. While the database is away, these are the pages last seen; while the
 * product is built, there is none, and so there are no pages. Never throws.
 */
export async function pagesInFooter(): Promise<SitePage[]> {
  const { failedAt } = known;
  if (failedAt !== null && nowMs() - failedAt < ASK_AGAIN_AFTER_MS) return known.pages;
  try {
    known.pages = (await listWrittenPages()).map(({ page }) => page);
    known.failedAt = null;
  } catch {
    // A footer is no reason to show no page.
    known.failedAt = nowMs();
  }
  return known.pages;
}
