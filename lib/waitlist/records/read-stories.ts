import 'server-only';
import type { WaitlistStory } from '@/lib/contract/shapes/attempt';
import type { WhyPassed } from '@/lib/contract/words/waitlist';
import { db } from '@/lib/db/client';

/** Each join passes a rate limit; no shopper has more. */
const MOST = 100;

/** Reads what became of each place that a user had on a sale's waitlist, the first first. @throws connection errors */
export async function readStories(saleId: string, userId: string): Promise<WaitlistStory[]> {
  const [rows, variants] = await Promise.all([
    db().waitlistEntry.findMany({ where: { saleId, userId }, orderBy: { number: 'asc' }, take: MOST }),
    db().saleVariant.findMany({ where: { saleId }, select: { number: true, name: true } }),
  ]);
  const names = new Map(variants.map(({ number, name }) => [number, name]));
  return rows.map((row): WaitlistStory => {
    const { number, orderNo, joinedAt, givenAt, leftAt, passedAt, passedWhy } = row;
    const variantName = names.get(row.variant) ?? null;
    const at = joinedAt.getTime();
    const place = { joinedAt: at, number: Number(number), variantName, orderNo: null, why: null };
    if (givenAt) return { ...place, became: 'given', at: givenAt.getTime(), orderNo: String(orderNo) };
    if (passedAt) {
      const why = (passedWhy as WhyPassed | null) ?? 'not_recorded';
      return { ...place, became: 'passed_over', at: passedAt.getTime(), why };
    }
    if (leftAt) return { ...place, became: 'left', at: leftAt.getTime() };
    return { ...place, became: 'waiting', at: null };
  });
}
