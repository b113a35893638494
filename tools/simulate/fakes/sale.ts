import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { usualSaleFields } from '@/lib/contract/shapes/sale-fields';
import type { Db } from '@/lib/db/client';
import type { SimProcess } from '../sim-process';
import type { SaleRow } from '../stores/rows';
import type { Session } from './session';

/** How long a process answers from its own memory, ms, like lib/cache. */
const KEEP_MS = 1_000;

/**
 * Makes the verbs on the sale's counters and its cached facts, over the simulated Postgres: same interface, same
 * conditions.
 */
export function saleFakes(process: SimProcess, session: Session) {
  const { sales } = session.store;
  const kept = new Map<string, { at: number; info: SaleInfo | null }>();

  type Update = { fits: (row: SaleRow) => boolean; change: (row: SaleRow) => Partial<SaleRow> };
  const count = (client: Db, saleId: string, what: string, { fits, change }: Update) =>
    session.run(client, what, async (tx) => (await sales.update(tx, saleId, fits, change)) !== null);
  const orThrow = async (isDone: Promise<boolean>, problem: string): Promise<void> => {
    if (await isDone) return;
    process.world.violate(`1: Postgres: ${problem}`);
    throw new Error(problem);
  };
  const hasRoom = (units: number) => (row: SaleRow) =>
    row.totalStock === -1 || row.heldStock + row.soldStock + units <= row.totalStock;

  const infoOf = (row: SaleRow): SaleInfo => {
    const campaign = row.campaignId === null ? null : session.store.campaigns.get(null, row.campaignId);
    if (!campaign) return toInfo(row);
    const { id: campaignId, limitPerUser } = campaign;
    return { ...toInfo(row), campaign: { campaignId, slug: 'campaign', title: 'Campaign', limitPerUser } };
  };

  const find = async (saleId: string): Promise<SaleInfo | null> => {
    const known = kept.get(saleId);
    if (known && session.now - known.at < KEEP_MS) return known.info;
    const at = session.now;
    const row = await session.run(session.db, 'read sale info', (tx) => sales.get(tx, saleId));
    const info = row && row.status !== 'draft' ? infoOf(row) : null;
    kept.set(saleId, { at, info });
    return info;
  };

  return {
    'lib/sale/list-selling': {
      listSelling: () =>
        session.run(session.db, 'list selling', async (tx) =>
          sales
            .find(tx, ({ status, stockMode }) => status !== 'draft' && stockMode === 'redis')
            .map(({ id, epoch, slices, sliceEpochs, status }) => ({
              id,
              epoch,
              slices,
              sliceEpochs,
              isClosed: status === 'closed',
            })),
        ),
    } satisfies typeof import('@/lib/sale/list-selling'),

    'lib/sale/committed-stock': {
      holdUnits: (client, saleId, units) =>
        count(client, saleId, `hold ${units}`, {
          fits: hasRoom(units),
          change: (row) => ({ heldStock: row.heldStock + units }),
        }),
      holdFreeUnits: (client, saleId, units) =>
        count(client, saleId, `hold ${units} free`, {
          fits: hasRoom(units),
          change: (row) => ({ heldStock: row.heldStock + units }),
        }),
      releaseUnits: (client, saleId, units) =>
        orThrow(
          count(client, saleId, `release ${units}`, {
            fits: (row) => row.heldStock >= units,
            change: (row) => ({ heldStock: row.heldStock - units }),
          }),
          `fewer than ${units} units are held`,
        ),
      sellFreeUnits: (client, saleId, units) =>
        count(client, saleId, `sell ${units} free`, {
          fits: hasRoom(units),
          change: (row) => ({ soldStock: row.soldStock + units }),
        }),
      takeBackUnits: (client, saleId, units, { from, isForSale }) => {
        const [held, sold] = from === 'held' ? [units, 0] : [0, units];
        return orThrow(
          count(client, saleId, `take back ${units} ${from}`, {
            fits: (row) => row.heldStock >= held && row.soldStock >= sold,
            change: (row) => ({
              heldStock: row.heldStock - held,
              soldStock: row.soldStock - sold,
              totalStock: row.totalStock - (row.totalStock === -1 || isForSale ? 0 : units),
            }),
          }),
          `fewer than ${units} units are ${from}`,
        );
      },
    } satisfies typeof import('@/lib/sale/committed-stock'),

    'lib/sale/list-sales-open-at': {
      listSalesOpenAt: () => session.run(session.db, 'list sales', async (tx) => sales.find(tx, () => true)),
    } satisfies typeof import('@/lib/sale/list-sales-open-at'),

    'lib/sale/to-sale-info': {
      SALE_PARTS: {},
      toSaleInfo: (row: unknown) => infoOf(row as SaleRow),
    },

    'lib/sale/find-sale-info': {
      findSaleInfo: find,
      peekSaleInfo: (saleId) => {
        const known = kept.get(saleId);
        return known && session.now - known.at < KEEP_MS ? known.info : undefined;
      },
      forgetSaleInfo: async (saleId) => void kept.delete(saleId),
    } satisfies Pick<
      typeof import('@/lib/sale/find-sale-info'),
      'findSaleInfo' | 'peekSaleInfo' | 'forgetSaleInfo'
    >,
  };
}

function toInfo(row: SaleRow): SaleInfo {
  const { id: saleId, priceMinor, currency, totalStock, limitPerUser, status, paused, strategy, epoch } = row;
  return {
    saleId,
    slug: 'sale',
    merchantId: 'merchant',
    title: 'Sale',
    imageUrl: null,
    productName: 'Thing',
    description: '',
    attributes: {},
    priceMinor,
    currency,
    totalStock,
    limitPerUser,
    startsAt: row.startsAt.getTime(),
    endsAt: row.endsAt.getTime(),
    entryOpensAt: row.entryOpensAt.getTime(),
    ...usualSaleFields,
    admission: row.admission,
    drawWeights: row.drawWeights,
    lateMoney: row.lateMoney,
    slices: row.slices,
    sliceEpochs: row.sliceEpochs,
    reservation: null,
    campaign: null,
    limits: null,
    paymentWindowSec: row.paymentWindowSec,
    status,
    paused,
    waitlist: row.waitlist,
    waitlistClosed: row.waitlistClosed,
    strategy,
    epoch,
    version: 1,
  };
}
