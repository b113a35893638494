import type { Db } from '@/lib/db/client';
import type { SimProcess } from '../sim-process';
import type { OrderRow, SaleRow } from '../stores/rows';
import { sqlError, Transaction } from '../stores/tables';
import { type Statements, textOf } from './line/statements';

/** Both keep other updates of the row waiting. */
const LOCKS_SALE = [
  'SELECT 1 FROM sales WHERE id = ? FOR UPDATE',
  'SELECT 1 FROM sales WHERE id = ? FOR NO KEY UPDATE',
];
/** So much of a statement stands in the trail. */
const TOLD_CHARS = 60;

type TransactionOptions = { timeout?: number };

/** The database client inside or outside a transaction, with the few calls that the composition makes on it directly. */
type SimDb = { tx: Transaction | null };

/** One process's access to Postgres: statements, transactions, and their failures. */
export class Session {
  /** The client that `db()` returns. */
  readonly db: Db;
  private readonly known = new Map<string, Statements[string]>();

  constructor(private readonly process: SimProcess) {
    this.db = this.client(null);
  }

  get store() {
    return this.process.world.postgres;
  }

  get now(): number {
    return Math.floor(this.process.world.time.now);
  }

  /** Runs one statement, in the transaction of `client` or in one of its own. */
  run<T>(client: Db, what: string, statement: (tx: Transaction) => T | Promise<T>): Promise<T> {
    const { tx } = client as unknown as SimDb;
    if (!tx) return this.process.call('postgres', what, () => this.alone(statement));
    // The connection is gone, so everything that the transaction did is undone.
    const onRefused = () => this.abort(tx, sqlError('08006', 'Connection terminated'));
    const done = this.process.call('postgres', what, () => inside(tx, statement), {
      onRefused,
      mayBeLate: false,
    });
    return done.catch((error) => {
      this.abort(tx, sqlError('25P02', 'current transaction is aborted'));
      throw error;
    });
  }

  /** Teaches what statements do that the product's verbs send as they stand. */
  learn(statements: Statements): void {
    for (const [text, statement] of Object.entries(statements)) this.known.set(text, statement);
  }

  /** Runs a statement by its text. @throws if nobody has taught it */
  send(client: Db, strings: readonly string[], values: readonly unknown[]) {
    const text = textOf(strings);
    const statement = this.known.get(text);
    if (!statement) throw new Error(`the simulated Postgres does not know: ${text}`);
    return this.run(client, text.slice(0, TOLD_CHARS), (tx) => statement(tx, values));
  }

  /** Passes on what a statement returns. That it breaks a constraint breaks a promise as well. */
  async unbroken<T>(statement: Promise<T>): Promise<T> {
    try {
      return await statement;
    } catch (error) {
      if ((error as { code?: string }).code === '23514') this.process.world.violate(`1: Postgres: ${error}`);
      throw error;
    }
  }

  private async alone<T>(statement: (tx: Transaction) => T | Promise<T>): Promise<T> {
    const tx = new Transaction();
    try {
      const result = await statement(tx);
      tx.commit();
      return result;
    } catch (error) {
      tx.rollback();
      throw error;
    }
  }

  private async transaction<T>(
    work: (tx: Db) => Promise<T>,
    { timeout = 5_000 }: TransactionOptions = {},
  ): Promise<T> {
    const { process } = this;
    const tx = new Transaction();
    process.transactions.add(tx);
    const over = process.world.time.after(timeout, () =>
      this.abort(tx, sqlError('P2028', 'Transaction timed out')),
    );
    try {
      const value = await work(this.client(tx)).catch((error) => {
        tx.rollback();
        throw error;
      });
      // A COMMIT that was refused to the caller may still arrive late; until then the transaction stays open. It is
      // rolled back only once the COMMIT can't arrive any more.
      const onRefused = () => tx.rollback();
      await process.call('postgres', 'COMMIT', () => tx.commit(), { onRefused });
      return value;
    } finally {
      over();
      process.transactions.delete(tx);
    }
  }

  private abort(tx: Transaction, refusal: Error): void {
    if (tx.ended) return;
    tx.refusal ??= refusal;
    tx.rollback();
  }

  private client(tx: Transaction | null): Db {
    const { store } = this;
    const own: Db = {
      tx,
      $transaction: (work: (tx: Db) => Promise<unknown>, options: TransactionOptions) =>
        this.transaction(work, options),
      $executeRaw: (text: TemplateStringsArray, ...values: unknown[]) => {
        const isLock = LOCKS_SALE.includes(text.join('?'));
        if (!isLock) return this.send(own, text, values);
        return this.run(own, 'lock sale', (inner) =>
          inner.lock(store.sales, String(values[0])).then(() => 1),
        );
      },
      $queryRaw: (text: TemplateStringsArray, ...values: unknown[]) => this.send(own, text, values),
      sale: {
        findUnique: ({ where }: { where: { id: string } }) =>
          this.run(own, 'read sale', (inner) => store.sales.get(inner, where.id)),
        findUniqueOrThrow: async ({ where }: { where: { id: string } }) => {
          const row = await this.run(own, 'read sale', (inner) => store.sales.get(inner, where.id));
          if (!row) throw new Error('No record was found');
          return row;
        },
        update: ({ where, data }: { where: { id: string }; data: SaleChange }) =>
          this.run(own, `change ${Object.keys(data)}`, (inner) =>
            store.sales.update(
              inner,
              where.id,
              () => true,
              (row) => changed(row, data),
            ),
          ),
      },
      campaign: {
        findUnique: ({ where }: { where: { id: string } }) =>
          this.run(own, 'read campaign', (inner) => store.campaigns.get(inner, where.id)),
      },
      campaignAllowance: {
        findMany: ({ where: { saleId, userId } }: AllowanceQuery) =>
          this.run(own, 'read allowances', (inner) =>
            store.allowances
              .find(inner, (row) => row.sale_id === saleId)
              .filter((row) => userId.in?.includes(row.user_id) ?? row.user_id > (userId.gt ?? ''))
              .sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
              .map(({ user_id, units, number }) => ({ userId: user_id, units, number })),
          ),
      },
      line: {
        findUniqueOrThrow: async ({ where }: { where: { saleId: string } }) => {
          const row = await this.run(own, 'read seed', (inner) => store.lines.get(inner, where.saleId));
          if (!row) throw new Error('No record was found');
          return row;
        },
      },
      order: {
        findUnique: (query: OrderQuery) => this.run(own, 'read order', (inner) => readOrder(query, inner)),
        findUniqueOrThrow: async (query: OrderQuery) => {
          const row = await this.run(own, 'read order', (inner) => readOrder(query, inner));
          if (!row) throw new Error('No record was found');
          return row;
        },
      },
      payment: {
        count: ({ where }: { where: { id: string; status: string; refundDecidedAt?: null } }) =>
          this.run(own, 'look at payment', (inner) => {
            const row = store.payments.get(inner, where.id);
            const isOpen = where.refundDecidedAt === undefined || row?.refundDecidedAt === null;
            return row?.status === where.status && isOpen ? 1 : 0;
          }),
      },
    } as unknown as Db;
    const readOrder = ({ where }: OrderQuery, inner: Transaction): OrderRow | null =>
      store.orders.get(inner, String(where.shard_id.id));
    return own;
  }
}

/** What Prisma takes as a row's new values. */
type SaleChange = { [Name in keyof SaleRow]?: SaleRow[Name] | { increment: number } };

const changed = (row: SaleRow, data: SaleChange): Partial<SaleRow> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const more = (value as { increment?: number } | null)?.increment;
        return [name, more === undefined ? value : Number(row[name as keyof SaleRow]) + more];
      }),
  );

/** By page, or of these people. */
type AllowanceQuery = { where: { saleId: string; userId: { in?: string[]; gt?: string } } };

type OrderQuery = { where: { shard_id: { shard: number; id: bigint } } };

async function inside<T>(tx: Transaction, statement: (tx: Transaction) => T | Promise<T>): Promise<T> {
  if (tx.refusal) throw tx.refusal;
  const result = await statement(tx);
  if (tx.refusal) throw tx.refusal;
  return result;
}
