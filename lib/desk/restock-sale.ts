import 'server-only';
import { ensureStockLoaded } from '@/lib/checkout/ensure-stock-loaded';
import { newId } from '@/lib/ids/new-id';
import { restock } from '@/lib/stock/restock';
import type { StockTiers } from '@/lib/stock/types';
import type { Actor } from './actor';
import { type ChangeResult, changeSale } from './change-sale';

const MAX_STOCK = 1_000_000_000;

type Refusal =
  | { status: 'unlimited' }
  | { status: 'too_many'; max: number }
  /** `available` more units could be taken back at most. */
  | { status: 'below_committed'; available: number };

export type RestockSaleResult =
  | { status: 'restocked'; stock: StockTiers }
  | Exclude<ChangeResult<Refusal>, { status: 'changed' }>;

/** Adds units to a sale or takes unsold ones back, in Redis and Postgres, or in neither. */
export async function restockSale(actor: Actor, saleId: string, delta: number): Promise<RestockSaleResult> {
  await ensureStockLoaded(saleId);
  const requestId = newId('restock');
  let stock: StockTiers | undefined;
  const result = await changeSale<Refusal>(actor, saleId, {
    from: ['published'],
    refuse: ({ totalStock, heldStock, soldStock }) => {
      if (totalStock === -1) return { status: 'unlimited' };
      if (totalStock + delta > MAX_STOCK) return { status: 'too_many', max: MAX_STOCK };
      const free = totalStock - heldStock - soldStock;
      return free + delta < 0 ? { status: 'below_committed', available: free } : null;
    },
    data: () => ({ totalStock: { increment: delta } }),
    inRedis: async ({ epoch }) => {
      const reply = await restock({ saleId, epoch, delta, requestId });
      switch (reply.status) {
        case 'restocked':
        case 'already_restocked': {
          const { total, available, held, sold } = reply;
          stock = { total, available, held, sold };
          return null;
        }
        case 'below_committed':
          return { status: 'below_committed', available: reply.available };
        case 'unlimited':
          return { status: 'unlimited' };
        default:
          throw new Error(`restocking ${saleId} under epoch ${epoch}: ${reply.status}`);
      }
    },
  });
  if (result.status !== 'changed') return result;
  if (!stock) throw new Error('restocked without a reply');
  return { status: 'restocked', stock };
}
