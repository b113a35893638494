import { keys } from '@/lib/redis/keys';
import type { SimProcess } from '../sim-process';
import type { AllowanceRow } from '../stores/rows';
import type { Transaction } from '../stores/tables';
import type { Statements } from './line/statements';
import type { Session } from './session';

type Values = readonly unknown[];

const words = (text: string): string => text.replace(/\s+/g, ' ').trim();
const keyOf = (userId: string, saleId: string) => `${userId} ${saleId}`;

/** Makes the statements on campaigns that the product's verbs send as they stand. */
export const campaignStatements = ({ store }: Pick<Session, 'store'>): Statements => ({
  'SELECT pg_advisory_xact_lock_shared(hashtextextended(?, 0))': (tx: Transaction, [name]: Values) =>
    store.advisory.share(tx, String(name)).then(() => 1),
  'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))': (tx: Transaction, [name]: Values) =>
    store.advisory.own(tx, String(name)).then(() => 1),
  [words(`SELECT limit_per_user AS "limit", nextval('campaign_allowance_numbers') AS number
    FROM campaigns WHERE id = ?`)]: (tx: Transaction, [id]: Values) => {
    const row = store.campaigns.get(tx, String(id));
    return row ? [{ limit: row.limitPerUser, number: BigInt(store.nextId()) }] : [];
  },
  [words(`SELECT a.sale_id AS "saleId", a.units, a.number, s.epoch, s.slices, s.slice_epochs AS "sliceEpochs"
    FROM campaign_allowances a JOIN sales s ON s.id = a.sale_id
    WHERE a.campaign_id = ? AND a.user_id = ? ORDER BY s.starts_at, s.id`)]: (
    tx: Transaction,
    [campaignId, userId]: Values,
  ) =>
    store.allowances
      .find(tx, (row) => row.campaign_id === campaignId && row.user_id === userId)
      .flatMap(({ sale_id: saleId, units, number }) => {
        const sale = store.sales.get(tx, saleId);
        if (!sale) return [];
        const { epoch, slices, sliceEpochs, startsAt } = sale;
        return [
          {
            row: { saleId, units, number, epoch, slices, sliceEpochs },
            order: `${startsAt.getTime()} ${saleId}`,
          },
        ];
      })
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .map(({ row }) => row),
  [words(`INSERT INTO campaign_allowances (campaign_id, user_id, sale_id, units, number) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (campaign_id, user_id, sale_id) DO UPDATE SET units = excluded.units, number = excluded.number`)]:
    async (tx: Transaction, [campaignId, userId, saleId, units, number]: Values) => {
      const change = { units: Number(units), number: BigInt(number as bigint) };
      const key = keyOf(String(userId), String(saleId));
      const row: AllowanceRow = {
        campaign_id: String(campaignId),
        user_id: String(userId),
        sale_id: String(saleId),
        ...change,
      };
      if (!(await store.allowances.insert(tx, key, row)))
        await store.allowances.update(tx, key, () => true, change);
      return 1;
    },
});

/** Makes the verbs on what a campaign leaves people, and teaches Postgres what the product says to it about that. */
export function campaignFakes(process: SimProcess, session: Session) {
  const { allowances, redis } = process.world;
  const ask = <T>(what: string, effect: () => T) => process.call('redis', what, effect);
  session.learn(campaignStatements(session));

  return {
    'lib/stock/put-allowance': {
      putAllowance: (stockId, allowance) => {
        const { userId, units, number } = allowance;
        return ask(`allow ${userId} ${units} of ${stockId} by ${number}`, () =>
          allowances.put(stockId, allowance),
        );
      },
      dropAllowances: async (stockId) => {
        await ask(`UNLINK allowances of ${stockId}`, () => redis.unlink(keys.allowances(stockId)));
      },
    } satisfies typeof import('@/lib/stock/put-allowance'),

    'lib/stock/trim-allowance': {
      trimAllowance: (stock, change) =>
        ask(`trim ${change.userId} of ${stock.stockId} by ${change.number}`, () =>
          allowances.trim({ ...stock, ...change }),
        ),
    } satisfies typeof import('@/lib/stock/trim-allowance'),
  };
}
