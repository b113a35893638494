import 'server-only';
import type { SaleLog } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import { readLatestHead } from '@/lib/decision-log/read-heads';
import { saleHeadSecret } from '@/lib/decision-log/sale-head-secret';
import { env } from '@/lib/env';
import { type Actor, isAllowedTo, maySee } from '../actor';

/** Reads how far the decision log of a sale is and where its heads go, also of a draft; null if there is no such sale or it is another merchant's. */
export async function readSaleLog(actor: Actor, saleId: string): Promise<SaleLog | null> {
  const sale = await db().sale.findUnique({
    where: { id: saleId },
    select: { merchantId: true, logWebhookUrl: true },
  });
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
    // The paths may be secrets.
    sentTo: logWebhook ? new URL(logWebhook.url).host : null,
    ownAddress: sale.logWebhookUrl
      ? {
          host: new URL(sale.logWebhookUrl).host,
          secret: (await isAllowedTo(actor, sale.merchantId, 'settings')) ? saleHeadSecret(saleId) : null,
        }
      : null,
    hasKey: logSigningKey !== undefined,
  };
}
