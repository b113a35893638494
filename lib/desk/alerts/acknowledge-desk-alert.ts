import 'server-only';
import { acknowledgeAlert, findAlert } from '@/lib/alert/acknowledge-alert';
import { db } from '@/lib/db/client';
import { type Actor, mayManage, seesAll } from '../actor';
import { type DeskAlert, withNames } from './list-desk-alerts';

/** Acknowledges an alert the actor may see; again changes nothing. @returns null if there is none, or it is pending. */
export async function acknowledgeDeskAlert(
  actor: Actor,
  id: string,
  note: string | undefined,
): Promise<DeskAlert | null> {
  const alert = await findAlert(id);
  if (!alert || !(await maySee(actor, alert.saleId))) return null;
  const acknowledged = await acknowledgeAlert(id, actor.userId, note);
  return acknowledged && ((await withNames([acknowledged]))[0] ?? null);
}

async function maySee(actor: Actor, saleId: string | null): Promise<boolean> {
  if (seesAll(actor)) return true;
  const sale =
    saleId && (await db().sale.findUnique({ where: { id: saleId }, select: { merchantId: true } }));
  return Boolean(sale && mayManage(actor, sale.merchantId));
}
