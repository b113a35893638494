import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import type { SaleLog } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import { readLatestHead } from '@/lib/decision-log/read-heads';
import { env } from '@/lib/env';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';

/** Reads how far the decision log of a sale is; null if there is no such sale or it is another merchant's. */
export async function readSaleLog(actor: Actor, saleId: string): Promise<SaleLog | null> {
  const sale = await findSaleInfo(saleId);
  if (!sale || !(await maySee(actor, sale.merchantId))) return null;
  const [log, head, waiting] = await Promise.all([
    db().decisionLog.findUnique({ where: { saleId }, select: { size: true } }),
    readLatestHead(saleId),
    db().decisionBatch.findFirst({
      where: { saleId },
      orderBy: { loggedAt: 'asc' },
      select: { loggedAt: true },
    }),
  ]);
  const { logWebhook, logSigningKey } = env();
  return {
    size: Number(log?.size ?? 0),
    head,
    waitingSince: waiting?.loggedAt.getTime() ?? null,
    // The path may be a secret of its own.
    sentTo: logWebhook ? new URL(logWebhook.url).host : null,
    hasKey: logSigningKey !== undefined,
  };
}
