import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import type { AdminDraw } from '@/lib/contract/shapes/draw';
import type { PassedOver } from '@/lib/contract/words/draw';
import type { DrawWeights } from '@/lib/contract/words/sale';
import { ADMISSIONS, type SaleAdmission } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { weightOf } from '@/lib/draw/records/weight-of';

type AdminDrawResult = { status: 'found'; draw: AdminDraw } | { status: 'not_found' | 'no_draw' };

type Group = {
  weight: number;
  level: number;
  has_bought: boolean;
  people: number;
  won: number;
  waiting: number;
};
type Orders = { paid: number; unpaid: number; lapsed: number };

/** Reads a draw as staff see it: who entered, what the weights did, who has paid. @throws connection errors */
export async function readAdminDraw(actor: Actor, saleId: string): Promise<AdminDrawResult> {
  const sale = await db().sale.findUnique({ where: { id: saleId }, include: { line: true } });
  if (!sale || !(await maySee(actor, sale.merchantId))) return { status: 'not_found' };
  const { line } = sale;
  if (!ADMISSIONS[sale.admission as SaleAdmission].isDrawn || !line) return { status: 'no_draw' };
  const rule = sale.drawWeights as DrawWeights;
  const isDrawn = line.shuffledAt !== null;
  const [groups, variants, reasons, [orders], [left]] = await Promise.all([
    isDrawn ? readWeights(saleId) : readWeightsToCome(saleId, sale.merchantId, rule),
    readVariants(saleId),
    db().$queryRaw<{ reason: PassedOver; people: number }[]>`
      SELECT passed_over AS reason, count(*)::int AS people FROM line_entries
      WHERE sale_id = ${saleId} AND passed_over IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
    db().$queryRaw<Orders[]>`
      SELECT count(*) FILTER (WHERE status IN ('paid', 'refunded'))::int AS paid,
             count(*) FILTER (WHERE status = 'pending_payment')::int AS unpaid,
             count(*) FILTER (WHERE status IN ('cancelled', 'failed'))::int AS lapsed
      FROM orders WHERE sale_id = ${saleId}`,
    db().$queryRaw<{ people: number }[]>`
      SELECT count(*)::int AS people FROM line_entries WHERE sale_id = ${saleId} AND left_at IS NOT NULL`,
  ]);
  const { paid = 0, unpaid = 0, lapsed = 0 } = orders ?? {};
  return {
    status: 'found',
    draw: {
      entrants: line.nextNumber,
      left: left?.people ?? 0,
      closed: line.closed,
      drawnAt: line.shuffledAt?.getTime() ?? null,
      isFinal: line.enlistedAt !== null,
      beacon: isDrawn ? beaconOf(line) : null,
      rule,
      weights: byWeight(groups, rule, isDrawn),
      variants,
      passedOver: reasons,
      paid,
      unpaid,
      lapsed,
      waiting: groups.reduce((sum, { waiting }) => sum + waiting, 0),
    },
  };
}

const beaconOf = ({ beacon, beaconUrl }: { beacon: string | null; beaconUrl: string | null }) => {
  if (beacon !== null) return 'used';
  return beaconUrl === null ? 'none_set' : 'told_nothing';
};

/** Reads the units of each variant, how many people wish it, and how many have had one. */
const readVariants = (saleId: string): Promise<AdminDraw['variants']> =>
  db().$queryRaw`
    SELECT v.name, v.stock AS units, coalesce(e.people, 0)::int AS people, coalesce(o.won, 0)::int AS won
    FROM sale_variants v
    LEFT JOIN (SELECT variant, count(*) AS people FROM line_entries
               WHERE sale_id = ${saleId} AND left_at IS NULL AND passed_over IS NULL GROUP BY 1) e ON e.variant = v.number
    LEFT JOIN (SELECT variant, count(DISTINCT user_id) AS won FROM orders WHERE sale_id = ${saleId} GROUP BY 1) o
      ON o.variant = v.number
    WHERE v.sale_id = ${saleId} ORDER BY v.number`;

/** The weights that were drawn with, and how many of each have had a unit or still wait for one. */
const readWeights = (saleId: string): Promise<Group[]> =>
  db().$queryRaw`
    SELECT e.weight::int AS weight, 0 AS level, false AS has_bought, count(*)::int AS people,
           count(o.user_id)::int AS won,
           count(*) FILTER (WHERE o.user_id IS NULL AND e.left_at IS NULL)::int AS waiting
    FROM line_entries e
    LEFT JOIN (SELECT DISTINCT user_id FROM orders WHERE sale_id = ${saleId}) o ON o.user_id = e.user_id
    WHERE e.sale_id = ${saleId} AND e.passed_over IS NULL GROUP BY e.weight`;

/** Counts the people by the tickets that each would hold if the draw took place now. */
const readWeightsToCome = (saleId: string, merchantId: string, rule: DrawWeights): Promise<Group[]> =>
  db().$queryRaw`
    SELECT 1 AS weight, l.level, buyers.user_id IS NOT NULL AS has_bought, count(*)::int AS people, 0 AS won,
           0 AS waiting
    FROM line_entries e JOIN users u ON u.id = e.user_id CROSS JOIN LATERAL level_of(u.id, u.level) l
    LEFT JOIN (SELECT DISTINCT o.user_id FROM orders o JOIN sales s ON s.id = o.sale_id
               WHERE s.merchant_id = ${merchantId} AND o.status = 'paid' AND ${rule === 'bought_before'}) buyers
      ON buyers.user_id = e.user_id
    WHERE e.sale_id = ${saleId} AND e.left_at IS NULL GROUP BY 2, 3`;

function byWeight(groups: readonly Group[], rule: DrawWeights, isDrawn: boolean): AdminDraw['weights'] {
  const weights = new Map<number, { weight: number; people: number; won: number }>();
  for (const { weight: drawn, level, has_bought: hasBought, people, won } of groups) {
    const weight = isDrawn ? drawn : weightOf(rule, { level, hasBought });
    const known = weights.get(weight) ?? { weight, people: 0, won: 0 };
    weights.set(weight, { weight, people: known.people + people, won: known.won + won });
  }
  return [...weights.values()].sort((one, other) => one.weight - other.weight);
}
