import 'server-only';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { isOutageError } from '@/lib/errors/outage-error';

/** The words that a provider gets with a payment. */
type Terms = { title: string; returnUrl: string };
/** A page that a provider has made, under the provider's own id. `createdAt`: by its clock. */
type MadePage = { pageId: string; createdAt: Date };
export type KeptPage = MadePage & { paymentId: string };
/** The row that says which page takes a payment's money. `pageId` is null until the provider has answered. */
export type PageRow = Terms & {
  paymentId: string;
  attempt: number;
  claimedAt: Date;
  pageId: string | null;
  createdAt: Date | null;
};

/** The part of Prisma's client of such a table that we need. */
type PageTable = {
  createMany(args: { data: (Terms & { paymentId: string })[]; skipDuplicates: true }): PromiseLike<unknown>;
  findUniqueOrThrow(args: { where: { paymentId: string } }): PromiseLike<PageRow>;
  findMany(args: { where: { paymentId: { in: string[] } } }): PromiseLike<PageRow[]>;
  updateMany(args: {
    where: { paymentId: string; attempt: number; pageId?: string | null; OR?: { pageId: string | null }[] };
    data: Partial<PageRow>;
  }): PromiseLike<{ count: number }>;
};

export type KeptPages = ReturnType<typeof keptPages>;

/** Keeps in a table of a provider which page takes a payment's money, and which it was before. */
export const keptPages = (table: () => PageTable) => ({
  /**
   * Returns which page takes a payment's money. The row says what the provider is asked for before it is asked, so
   * everybody who asks again asks for the same.
   * @param terms of the first who asks
   */
  async claim(paymentId: string, terms: Terms): Promise<PageRow> {
    await table().createMany({ data: [{ paymentId, ...terms }], skipDuplicates: true });
    return table().findUniqueOrThrow({ where: { paymentId } });
  },

  /** Replaces a page that takes no money any more, once, unless the provider has made another one meanwhile. */
  async replace({ paymentId, attempt, pageId }: PageRow, terms: Terms): Promise<PageRow> {
    await table().updateMany({
      where: { paymentId, attempt, pageId },
      data: { ...terms, attempt: attempt + 1, claimedAt: new Date(nowMs()), pageId: null, createdAt: null },
    });
    return table().findUniqueOrThrow({ where: { paymentId } });
  },

  /** Keeps which page the provider has made. @returns false if it is another's turn: then no shopper may see it */
  async keep({ paymentId, attempt }: PageRow, { pageId, createdAt }: MadePage): Promise<boolean> {
    const { count } = await table().updateMany({
      where: { paymentId, attempt, OR: [{ pageId: null }, { pageId }] },
      data: { pageId, createdAt },
    });
    return count === 1;
  },

  /** Returns the pages of these payments; leaves out those that the provider has not made. */
  async find(paymentIds: readonly string[]): Promise<KeptPage[]> {
    const rows = await table().findMany({ where: { paymentId: { in: [...paymentIds] } } });
    return rows.flatMap(({ paymentId, pageId, createdAt }) =>
      pageId && createdAt ? [{ paymentId, pageId, createdAt }] : [],
    );
  },
});

/** Tells whether a failure is that of our Postgres, which has these tables. A time that ran out was spent on the provider. */
export const isOurPostgres = (error: unknown): boolean => isOutage(error) && !isOutageError(error as Error);
