import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { db } from '@/lib/db/client';
import { createProduct } from '@/lib/product/admin/create-product';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { createSale } from '@/lib/sale/admin/create-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import type { Sale } from '@/prisma/generated/client';
import { DEMO_ENTRY_LEAD_MS, type DemoSale } from './catalog';
import { restartSale } from './restart-sale';
import { sellUnits } from './sell-units';

/**
 * Makes sure that a demo sale exists in the state it should show. Finishes what an interrupted earlier run left
 * undone, and reopens a sale that is over if the catalogue says so. Changes that people made to it stay.
 */
export async function seedSale(merchant: Actor, demo: DemoSale): Promise<void> {
  const sale = (await find(demo.slug)) ?? (await create(merchant, demo));
  if (sale.status === 'draft') await publishSale(merchant, sale.id);
  if (sale.status === 'closed') return;

  if (demo.soldUnits && sale.soldStock < demo.soldUnits) await sellUnits(sale.id, demo.soldUnits);
  if (demo.endsOnceSold) await closeSale(merchant, sale.id);
  if (demo.reopens && sale.endsAt.getTime() <= nowMs()) {
    await restartSale(merchant, { saleId: sale.id, ...demo.window(nowMs()), pieces: demo.totalStock });
  }
}

const find = (slug: string): Promise<Sale | null> => db().sale.findUnique({ where: { slug } });

async function create(merchant: Actor, demo: DemoSale): Promise<Sale> {
  const { startsAt, endsAt, reservation } = demo.window(nowMs());
  const { slug, title, priceMinor, listPriceMinor, totalStock, limitPerUser, paymentWindowSec } = demo;
  const input = newSale.parse({
    title,
    priceMinor,
    listPriceMinor,
    totalStock,
    limitPerUser,
    paymentWindowSec,
    startsAt,
    endsAt,
    entryOpensAt: startsAt - DEMO_ENTRY_LEAD_MS,
    reservation,
    productId: await findProduct(merchant, demo),
    currency: 'EUR',
  });
  const result = await createSale(merchant, { ...input, slug, repeatAfterSec: demo.repeatAfterSec });
  if (result.status !== 'created') throw new Error(`demo sale ${slug}: ${result.status}`);
  return db().sale.findUniqueOrThrow({ where: { id: result.sale.saleId } });
}

async function findProduct(merchant: Actor, { product }: DemoSale): Promise<string> {
  await createProduct(merchant, product);
  const { id } = await db().product.findUniqueOrThrow({
    where: { slug: product.slug },
    select: { id: true },
  });
  return id;
}
