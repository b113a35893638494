import 'server-only';
import type { Campaign } from '@/lib/contract/shapes/campaign';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import { toCampaign, WITH_COUNT } from './to-campaign';

/** Returns one page of campaigns, newest first. `shops` null = of all shops. */
export async function listCampaigns(
  shops: readonly string[] | null,
  { cursor, limit }: Page,
): Promise<{ campaigns: Campaign[]; nextCursor: string | null }> {
  const rows = await db().campaign.findMany({
    where: {
      ...(shops === null ? {} : { merchantId: { in: [...shops] } }),
      ...(cursor ? { id: { lt: decodeCursor(cursor) } } : {}),
    },
    include: WITH_COUNT,
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => last.id);
  return {
    campaigns: page.map(toCampaign),
    nextCursor,
  };
}
