import 'server-only';
import { saleTag } from '@/lib/cdn/tags';
import type { SaleInfo, SaleState } from '@/lib/contract/shapes/sale';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { isSoldByDatabase } from '@/lib/fallback/stock-place';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { showLine } from '@/lib/line/show-line';
import { healStock } from '@/lib/loading/heal-stock';
import { countReserved } from '@/lib/reservation/count-reserved';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readDatabaseStock } from '@/lib/sale/records/read-database-stock';
import { recentStock } from '@/lib/stock/recent-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import type { Stock } from '@/lib/stock/types';
import { edgeHeaders, keptAtEdgeSec } from './edge-headers';
import { SHORT_LIVED, stateCacheControl } from './state-cache-control';

type StateResult =
  | { status: 'found'; state: SaleState; slug: string }
  | { status: 'refused'; code: 'SALE_NOT_FOUND' | 'STOCK_UNAVAILABLE' };

/**
 * Returns what a sale is right now, the same for everybody; one read of Redis per 100 ms and process, however many
 * ask.
 * @throws on bugs only: unreachable servers are `STOCK_UNAVAILABLE`.
 */
export async function findState(saleId: string): Promise<StateResult> {
  try {
    const info = await findSaleInfo(saleId);
    if (!info) return { status: 'refused', code: 'SALE_NOT_FOUND' };
    const stock = await readWarmStock(info);
    if (!stock) return { status: 'refused', code: 'STOCK_UNAVAILABLE' };
    const state = toState(info, stock);
    if (ADMISSIONS[info.admission].hasLine) state.line = (await showLine(info, stock)) ?? undefined;
    if (info.reservation) state.reservation = { ...info.reservation, reserved: await countReserved(info) };
    return { status: 'found', state, slug: info.slug };
  } catch (error) {
    if (!isOutage(error)) throw error;
    return { status: 'refused', code: 'STOCK_UNAVAILABLE' };
  }
}

/**
 * Answers with the state, cacheable for at most a second and never across a change; a CDN that is told of changes may
 * keep it for ten while the sale is not running.
 * @param isForClock the client sets its clock by the answer (`?clock=`): no cache may keep it.
 */
export async function readState(saleId: string, isForClock = false): Promise<Reply> {
  const result = await findState(saleId);
  if (result.status === 'refused') return problemReply(result.code);
  const { state, slug } = result;
  const headers = SHORT_LIVED[isForClock ? 'no-store' : stateCacheControl(state)];
  return {
    status: 200,
    headers: edgeHeaders(headers, env().cdn?.vendor, saleTag(slug), keptAtEdgeSec(state)),
    body: JSON.stringify(state),
  };
}

/** Builds a sale's state from its info and stock. Shows the gate only while it opens something. */
function toState(info: SaleInfo, stock: Stock): SaleState {
  const status = salePhase(stock);
  const isOpen = status === 'live' || status === 'sold_out';
  return {
    saleId: info.saleId,
    status,
    serverTime: stock.serverTime,
    startsAt: stock.startsAt,
    endsAt: stock.endsAt,
    entryOpensAt: info.entryOpensAt,
    stock: {
      total: stock.total,
      available: stock.available,
      ...(stock.variants && { variants: [...stock.variants] }),
    },
    paused: stock.paused,
    gate: isOpen ? stock.gate : null,
    soldOutAt: stock.soldOutAt,
  };
}

async function readWarmStock(info: SaleInfo): Promise<Stock | null> {
  const { saleId } = info;
  if (await isSoldByDatabase(info)) return recentStock(saleId, readDatabaseStock);
  const stock = await recentStock(saleId);
  if (stock) return stock;
  return (await healStock(saleId)) ? recentStock(saleId) : null;
}
