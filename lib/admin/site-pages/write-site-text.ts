import 'server-only';
import { createHash } from 'node:crypto';
import { recordAction } from '@/lib/audit/record-action';
import type { SiteText, SiteTextEdit } from '@/lib/contract/shapes/site-page';
import type { SitePage } from '@/lib/contract/words/site-page';
import { transaction } from '@/lib/db/transaction';
import { listWrittenPages } from '@/lib/site-page/list-written-pages';
import { type Actor, demand } from '../actor';
import { renewSitePage } from '../pages/renew-site-page';

/** The number of the lock; any number that no other code uses. */
const LOCK = 0x73697465n;

/**
 * Writes a page of the footer in one language and renews what shows it. `conflict`: somebody has changed the text
 * since. The same text again changes nothing.
 * @returns `text` as it is now
 */
export async function writeSiteText(
  actor: Actor,
  page: SitePage,
  { locale, text, version }: SiteTextEdit,
): Promise<{ status: 'written' | 'conflict'; text: SiteText }> {
  demand(actor, 'manageSite');
  const result = await transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
    const where = { page_locale: { page, locale } };
    const present = await tx.siteText.findUnique({ where });
    const as = (row: typeof present): SiteText => ({
      locale,
      text: row?.text ?? '',
      version: row?.version ?? 0,
      changedAt: row?.changedAt.getTime() ?? null,
    });
    const before = as(present);
    if (before.text === text) return { status: 'written' as const, text: before, isNew: false };
    if (before.version !== version) return { status: 'conflict' as const, text: before, isNew: false };
    const linked = (await listWrittenPages(tx)).length;
    const change = { text, version: version + 1, changedAt: new Date() };
    const row = await tx.siteText.upsert({ where, create: { page, locale, ...change }, update: change });
    const isFooterNew = (await listWrittenPages(tx)).length !== linked;
    await recordAction(tx, actor, {
      action: 'page.write',
      subject: { kind: 'page', id: `${page}/${locale}` },
      before: before.version === 0 ? null : recorded(before.text),
      after: recorded(text),
    });
    return { status: 'written' as const, text: as(row), isNew: true, isFooterNew };
  });
  if (result.isNew) await renewSitePage(page, result.isFooterNew === true);
  return { status: result.status, text: result.text };
}

/** The log is read whole and kept for ever; it says which text it was, not what it said. */
const recorded = (text: string) => ({
  characters: text.length,
  sha256: createHash('sha256').update(text).digest('hex'),
});
