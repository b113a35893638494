import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { demandRight, recordAction } from '@/lib/audit/record-action';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { SaleStatus } from '@/lib/contract/words/sale';
import type { ShopAct } from '@/lib/contract/words/shop';
import { type Db, db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { isInDatabase } from '@/lib/sale/records/is-in-database';
import { SALE_PARTS, type SaleWithParts, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { announceChange } from '@/lib/stock/stock-changes';
import type { Prisma } from '@/prisma/generated/client';
import { recordedSale } from './recorded-sale';
import { syncSettings } from './sync-settings';

export type ChangeResult<Refusal extends { status: string } = never> =
  | { status: 'changed'; sale: SaleInfo }
  | { status: 'not_found' }
  | { status: 'wrong_state'; is: SaleStatus }
  | Refusal;

type Change<Refusal extends { status: string }> = {
  /** The action's name in the audit log: `sale.pause`. Null: not an action of a person, so not logged. */
  action: string | null;
  /** The act that a member of its shop must be allowed; left out: `settings`. */
  act?: ShopAct;
  /** The actor's words. */
  reason?: string;
  /** More work for the same transaction; an error in it rolls everything back. */
  within?: (tx: Db) => Promise<void>;
  /** The states in which the change makes sense. */
  from: readonly SaleStatus[];
  /** Refuses what the locked row forbids, and does other checks within its transaction; a refusal rolls that back. */
  refuse?: (row: SaleWithParts, tx: Db) => NoInfer<Refusal> | null | Promise<NoInfer<Refusal> | null>;
  /** The new values; the version goes up without it. */
  data: (sale: SaleInfo) => Prisma.SaleUpdateInput;
  /**
   * The change in Redis. Runs before the commit, so that its failure leaves Postgres as it was. If Redis decides
   * something, such as a moment, this function writes it to the row itself. Not called for a sale whose stock lives
   * in Postgres: there the row is all there is to change.
   */
  inRedis: (sale: SaleInfo, tx: Db) => Promise<NoInfer<Refusal> | null>;
};

class Refused<Refusal> extends Error {
  constructor(readonly refusal: Refusal) {
    super('refused');
  }
}

/**
 * Changes a sale, draft or published; every change in the admin area goes through here. Locks the row, writes Postgres, then
 * Redis, then commits with an entry in the audit log, and drops cached copies. A refusal of `inRedis` rolls back. If
 * the commit fails, Redis gets the old settings back; if the process dies, the reconciliation does that.
 * @throws NotAllowedError as `mayManage`
 */
export async function changeSale<Refusal extends { status: string } = never>(
  actor: Actor,
  saleId: string,
  change: Change<Refusal>,
): Promise<ChangeResult<Refusal>> {
  let hasStockInDatabase = false;
  let mayHaveReachedRedis = false;
  let isSplit = false;
  try {
    const result = await db().$transaction(async (tx): Promise<ChangeResult<Refusal>> => {
      // Not FOR UPDATE: that conflicts with the references of orders being written, and in a rush there is always
      // one; the merchant waited for 20 s and longer.
      await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR NO KEY UPDATE`;
      const before = await tx.sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
      if (!before || !(await mayManage(actor, before.merchantId, change.act ?? 'settings', tx)))
        return { status: 'not_found' };
      const sale = toSaleInfo(before);
      if (!change.from.includes(sale.status)) return { status: 'wrong_state', is: sale.status };
      const forbidden = await change.refuse?.(before, tx);
      if (forbidden) throw new Refused(forbidden);
      await demandRight(tx, actor);
      const where = { id: saleId };
      await tx.sale.update({ where, data: { ...change.data(sale), version: { increment: 1 } } });
      hasStockInDatabase = isInDatabase(before);
      mayHaveReachedRedis = !hasStockInDatabase;
      isSplit = sale.slices > 1;
      const refusal = hasStockInDatabase ? null : await change.inRedis(sale, tx);
      if (refusal) throw new Refused(refusal);
      const changed = toSaleInfo(await tx.sale.findUniqueOrThrow({ where, include: SALE_PARTS }));
      await change.within?.(tx);
      const fields = changedFields(recordedSale(sale), recordedSale(changed));
      const { action, reason } = change;
      const subject = { kind: 'sale', id: saleId };
      if (action && fields) await recordAction(tx, actor, { action, subject, ...fields, reason });
      return { status: 'changed', sale: changed };
    });
    if (result.status === 'changed') {
      await forgetSaleInfo(saleId);
      if (hasStockInDatabase) await announceChange(saleId);
    }
    return result;
  } catch (error) {
    // After a refusal only slices before the one that refused have the change.
    const isRefused = error instanceof Refused;
    if (mayHaveReachedRedis && (isSplit || !isRefused)) await putBack(saleId);
    if (isRefused) return error.refusal as Refusal;
    throw error;
  }
}

/**
 * Sends Redis the settings that Postgres has. Redis may have a change that Postgres rolled back, or its answer got
 * lost; Postgres is right.
 */
async function putBack(saleId: string): Promise<void> {
  try {
    await syncSettings(saleId);
  } catch (err) {
    // The reconciliation will find the difference.
    log.warn({ saleId, err }, 'the settings of a sale could not be put back in Redis');
  }
}
