import 'server-only';
import {
  type ClaimedDraw,
  claimDraws,
  dropClaim,
  keepClaim,
  noteEnlisted,
} from '@/lib/draw/records/claim-draws';
import { fixOrders, readDrawn } from '@/lib/draw/records/read-drawn';
import { log } from '@/lib/http/log';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { processWide } from '@/lib/process-wide';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { type Enlisted, enlist } from '@/lib/waitlist/enlist';
import { decideDraw } from './decide-draw';

/** Puts people on the waitlist, in this order. People who are there already keep their places. */
export type Enlist = (saleId: string, people: readonly Enlisted[]) => Promise<unknown>;

const KEEP_EVERY_MS = 3_000;
const CHUNK = 1_000;

const underWay = processWide('draws', () => new Set<string>());

/**
 * Carries out draws that are due: first draws the order, once, in Postgres, then lets everybody who was drawn wait for
 * units in that order: the first get them at once. A worker calls it twice a second; if one dies, another goes on after
 * ten seconds, wherever that one was. A draw that fails holds up no other.
 * @returns how many it finished
 */
export async function runDraws(enlistPeople: Enlist = enlist): Promise<number> {
  const claimed = await claimDraws();
  const results = await Promise.all(claimed.map((draw) => runDraw(draw, enlistPeople)));
  return results.filter(Boolean).length;
}

async function runDraw(draw: ClaimedDraw, enlistPeople: Enlist): Promise<boolean> {
  const { saleId } = draw;
  if (underWay.has(saleId)) return false;
  underWay.add(saleId);
  const keeping = setInterval(() => void keepClaim(saleId).catch(() => null), KEEP_EVERY_MS);
  try {
    const sale = await findSaleInfo(saleId);
    if (!sale) return false;
    if (!draw.isDrawn) await decideDraw(sale, draw.startsAt);
    await enlistDrawn(saleId, enlistPeople);
    return (await noteEnlisted(saleId)) > 0;
  } catch (err) {
    log.error({ saleId, err }, 'draw not finished');
    await dropClaim(saleId).catch(() => null);
    return false;
  } finally {
    clearInterval(keeping);
    underWay.delete(saleId);
  }
}

/** Puts everybody on the waitlist, first to last, each for the wished variant. Again from the first changes nothing. */
async function enlistDrawn(saleId: string, enlistPeople: Enlist): Promise<void> {
  for (let after = -1; ; ) {
    const drawn = await readDrawn(saleId, after, CHUNK);
    const without = drawn.filter(({ orderNo }) => orderNo === null);
    const issued = await Promise.all(
      without.map(async ({ number, userId }) => ({ number, orderNo: await issueOrderNo(userId) })),
    );
    const fixed = issued.length > 0 ? await fixOrders(saleId, issued) : new Map<number, string>();
    const people = drawn.map(({ number, userId, variant, orderNo }) => ({
      userId,
      variant,
      jti: `draw_${number}_${saleId}`,
      orderNo: orderNo ?? (fixed.get(number) as string),
    }));
    if (people.length > 0) await enlistPeople(saleId, people);
    if (drawn.length < CHUNK) return;
    after = (drawn.at(-1) as { place: number }).place;
  }
}
