import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { Product } from '@/lib/contract/shapes/product';
import { transaction } from '@/lib/db/transaction';
import { PICTURES_PART } from '@/lib/product/pictures';
import { toProduct } from '@/lib/product/to-product';

type SaleName = { saleId: string; title: string };
type TurnedProduct =
  | { status: 'changed'; product: Product }
  | { status: 'in_use'; sales: SaleName[] }
  | { status: 'not_found' };

/** Sales that a refusal names; more say no more. */
const MOST_NAMED = 5;

/**
 * Archives a product: no new sale sells it, and none of its drafts is published. Refused while one of its sales runs or is to
 * come, with the names of those. What was sold stays as it is.
 */
export const archiveProduct = (actor: Actor, productId: string) => turn(actor, productId, 'archive');

/** Undoes the archiving of a product. */
export const reopenProduct = (actor: Actor, productId: string) => turn(actor, productId, 'reopen');

function turn(actor: Actor, productId: string, verb: 'archive' | 'reopen'): Promise<TurnedProduct> {
  const to = verb === 'archive' ? 'archived' : 'active';
  return transaction(async (tx) => {
    // A sale of it that is being published holds the row: its commit comes first, or finds this one.
    await tx.$executeRaw`SELECT 1 FROM products WHERE id = ${productId} FOR NO KEY UPDATE`;
    const where = { id: productId };
    const row = await tx.product.findUnique({ where, include: PICTURES_PART });
    if (!row || !(await mayManage(actor, row.merchantId, 'settings', tx))) return { status: 'not_found' };
    if (row.status === to) return { status: 'changed', product: toProduct(row) };
    if (verb === 'archive') {
      const open = await tx.sale.findMany({
        where: { productId, status: 'published', endsAt: { gt: new Date() } },
        select: { id: true, title: true },
        orderBy: { endsAt: 'desc' },
        take: MOST_NAMED,
      });
      const sales = open.map(({ id, title }) => ({ saleId: id, title }));
      if (sales.length > 0) return { status: 'in_use', sales };
    }
    const data = { status: to, version: { increment: 1 } };
    const product = toProduct(await tx.product.update({ where, data, include: PICTURES_PART }));
    await recordAction(tx, actor, {
      action: `product.${verb}`,
      subject: { kind: 'product', id: productId },
      before: { status: row.status },
      after: { status: to },
    });
    return { status: 'changed', product };
  });
}
