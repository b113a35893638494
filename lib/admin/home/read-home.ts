import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Home, HomeSale, Takings } from '@/lib/contract/shapes/home';
import { may } from '@/lib/contract/words/roles';
import { readStale } from '@/lib/db/read-stale';
import { salePhase } from '@/lib/stock/sale-phase';
import type { Sale } from '@/prisma/generated/client';
import { type Actor, isAllowedTo, shownShop } from '../actor';
import { listAdminAlerts } from '../alerts/list-admin-alerts';
import { lettersOf } from '../dead-letters/list-dead-letters';
import { saleCondition } from '../sales/sale-filter';
import { type SaleTakings, sumTakings } from './sum-takings';

const DAY_MS = 86_400_000;
const LONGEST_MS = 7 * DAY_MS;
const MOST_RUNNING = 10;
const MOST_NEXT = 3;

/**
 * Gathers what somebody who opens the admin area wants to know first: the money of the day, the sales that run and the
 * next ones, and what waits for somebody. Merchants see their shop's, staff see all.
 * @param from when the day began for them, epoch ms
 * @throws connection errors
 */
export async function readHome(actor: Actor, from: number | undefined): Promise<Home> {
  const at = nowMs();
  const since = Math.max(from ?? at - DAY_MS, at - LONGEST_MS);
  const shopId = await shownShop(actor);
  const own = shopId === null ? {} : { merchantId: shopId };
  const of = (...states: Parameters<typeof saleCondition>[0]['status'][]) => ({
    AND: [own, { OR: states.map((status) => saleCondition({ status, sort: 'newest' }, at)) }],
  });
  const [takings, alerts, letters, found] = await Promise.all([
    sumTakings(shopId, since),
    listAdminAlerts(actor, { limit: 1 }, { state: 'active' }),
    lettersOf(actor),
    readStale((client) =>
      Promise.all([
        client.sale.findMany({
          where: of('running', 'paused'),
          orderBy: [{ endsAt: 'asc' }, { id: 'asc' }],
          take: MOST_RUNNING,
        }),
        client.sale.count({ where: of('running', 'paused') }),
        client.sale.findMany({
          where: of('scheduled'),
          orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
          take: MOST_NEXT,
        }),
        client.sale.count({ where: of('scheduled') }),
        client.sale.count({ where: of('draft') }),
        client.approval.count({
          where: {
            status: 'pending',
            expiresAt: { gt: new Date(at) },
            ...(shopId === null ? {} : { sale: own }),
          },
        }),
      ]),
    ),
  ]);
  const [running, runningCount, next, nextCount, drafts, approvals] = found;
  const deadLetters = await readStale((client) =>
    client.deadLetter.count({ where: { ...letters, resolvedAt: null } }),
  );
  const webhooks = await countTurnedOff(actor, shopId);
  const paid = new Map(takings.map(({ saleId, allMinor }) => [saleId, allMinor]));
  const show = (sale: Sale) => toHomeSale(sale, at, paid.get(sale.id) ?? 0);
  return {
    at,
    from: since,
    takings: byCurrency(takings),
    running: running.map(show),
    runningCount,
    next: next.map(show),
    nextCount,
    drafts,
    needs: { alerts: alerts?.unacknowledged ?? 0, approvals, deadLetters, webhooks },
  };
}

/** Counts webhooks that turned themselves off, of the shop of an owner, or of all for an admin. */
async function countTurnedOff(actor: Actor, shopId: string | null): Promise<number> {
  const maySee =
    shopId === null ? may(actor.role, 'manageUsers') : await isAllowedTo(actor, shopId, 'members');
  if (!maySee) return 0;
  return readStale((client) =>
    client.webhookEndpoint.count({
      where: { disabledWhy: { in: ['gone', 'failing'] }, ...(shopId === null ? {} : { shopId }) },
    }),
  );
}

function toHomeSale(sale: Sale, at: number, paidMinor: number): HomeSale {
  const { id, title, currency, paused, totalStock, heldStock, soldStock } = sale;
  const [startsAt, endsAt] = [sale.startsAt.getTime(), sale.endsAt.getTime()];
  const phase = salePhase({
    serverTime: at,
    startsAt,
    endsAt,
    paused,
    closed: sale.status === 'closed',
    total: totalStock,
    available: totalStock < 0 ? totalStock : totalStock - heldStock - soldStock,
  });
  return {
    saleId: id,
    title,
    phase,
    startsAt,
    endsAt,
    currency,
    total: totalStock,
    held: heldStock,
    sold: soldStock,
    paidMinor,
  };
}

function byCurrency(sales: readonly SaleTakings[]): Takings[] {
  const sums = new Map<string, Takings>();
  for (const { currency, paidMinor, orders, items } of sales) {
    const sum = sums.get(currency) ?? { currency, paidMinor: 0, orders: 0, items: 0 };
    sums.set(currency, {
      currency,
      paidMinor: sum.paidMinor + paidMinor,
      orders: sum.orders + orders,
      items: sum.items + items,
    });
  }
  return [...sums.values()].filter(({ orders }) => orders > 0).sort((a, b) => b.paidMinor - a.paidMinor);
}
