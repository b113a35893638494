import { setTimeout as delay } from 'node:timers/promises';
import { SALES_SHOWN } from '@/components/sale/sales-shown';
import { db } from '@/lib/db/client';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { whole } from '../report/format';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';

const TARGET = 0.5;
const SALES = 1_000;
const LISTED_WITHIN_MS = 20_000;
const PATH = `/api/sales?limit=${SALES_SHOWN}`;

/**
 * Measures the list of sales as the first page asks for it, with a thousand sales running, against the state of one
 * of them.
 */
export async function measureSalesList(context: BenchContext): Promise<FigureReport> {
  const { product } = context;
  const sale = await openBenchSale(100);
  const busy: number[] = [];
  const contestant = (name: string, path: string) => ({
    name,
    run: async () => {
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br, gzip\r\n\r\n`;
      const rate = await measureRate(context, product.fastPath.port, { kind: 'repeat', request }, 200);
      busy.push(rate.result.busy);
      return rate.perSecond;
    },
  });
  try {
    await addSales(sale);
    await untilListed(product.fastPath.port);
    const samples = await alternate(context.rounds, [
      contestant('list', PATH),
      contestant('state', `/api/sales/${sale.saleId}/state`),
    ]);
    return {
      name: 'sales-list',
      samples,
      rows: [
        ratioRow({
          figure: `list of sales, ${SALES_SHOWN} of ${whole(SALES)}, answers/s : state of a sale, answers/s`,
          ours: samples.list ?? [],
          theirs: samples.state ?? [],
          target: { atLeast: TARGET },
        }),
      ],
      notes: generatorNote(busy),
    };
  } finally {
    await db().$executeRaw`DELETE FROM sales WHERE slug LIKE 'bench-many-%'`;
    await dropBenchSale(sale);
  }
}

/** Inserts copies of a sale straight into the database. They run, and no client has asked for them yet. */
async function addSales({ saleId }: BenchSale): Promise<void> {
  await db().$executeRaw`
    INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                       starts_at, ends_at, entry_opens_at, payment_window_sec, status, epoch, gate, published_at)
    SELECT 'sale_bench_' || n, product_id, merchant_id, 'bench-many-' || n, title, price_minor, currency, total_stock,
           limit_per_user, starts_at + n * interval '1 millisecond', ends_at, entry_opens_at, payment_window_sec, status,
           epoch, gate, now()
      FROM sales, generate_series(1, ${SALES - 1}::int) n WHERE id = ${saleId}`;
}

/** Waits until the list shows the new sales. */
async function untilListed(port: number): Promise<void> {
  const deadline = Date.now() + LISTED_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${PATH}`);
    if (answer.ok && (await answer.text()).includes('bench-many-')) return;
    if (Date.now() > deadline) throw new Error('the list of sales does not have those of the bench');
    await delay(100);
  }
}
