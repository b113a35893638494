import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import { listAlerts } from '@/lib/alert/list-alerts';
import type { AlertView } from '@/lib/alert/types';
import type { AdminAlert, AdminAlertPage, AlertFilter } from '@/lib/contract/shapes/alert';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';

/** A merchant with more sales than this sees the alerts of the newest ones. */
const MAX_SALES = 1_000;

/**
 * Returns one page of alerts, newest first: all of them for actors who see all, otherwise those about the sales of the
 * actor's shops.
 */
export async function listAdminAlerts(
  actor: Actor,
  page: Page,
  filter: AlertFilter,
): Promise<AdminAlertPage | null> {
  const list = await listAlerts(page, filter, await ownSales(actor));
  return list && { ...list, alerts: await withNames(list.alerts) };
}

async function ownSales(actor: Actor): Promise<string[] | null> {
  const shops = await shopsOf(actor);
  if (shops === null) return null;
  const rows = await db().sale.findMany({
    where: { merchantId: { in: shops } },
    select: { id: true },
    orderBy: { createdAt: 'desc' },
    take: MAX_SALES,
  });
  return rows.map(({ id }) => id);
}

export async function withNames(alerts: readonly AlertView[]): Promise<AdminAlert[]> {
  const [sales, users] = await Promise.all([
    db().sale.findMany({
      where: { id: { in: alerts.flatMap(({ saleId }) => saleId ?? []) } },
      select: { id: true, title: true },
    }),
    db().user.findMany({
      where: { id: { in: alerts.flatMap(({ acknowledgedBy }) => acknowledgedBy ?? []) } },
      select: { id: true, email: true },
    }),
  ]);
  const titles = new Map(sales.map(({ id, title }) => [id, title]));
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return alerts.map((alert) => ({
    ...alert,
    saleTitle: titles.get(alert.saleId ?? '') ?? null,
    acknowledgedByEmail: emails.get(alert.acknowledgedBy ?? '') ?? null,
  }));
}
