import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { EditProductInput, Product } from '@/lib/contract/shapes/product';
import { transaction } from '@/lib/db/transaction';
import { groupBy } from '@/lib/outbox/group-by';
import { renewSalePages } from '@/lib/pages/renew-sale-pages';
import { editProduct as updateProduct } from '@/lib/product/edit-product';
import { findProductOwner } from '@/lib/product/find-owner';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';

type EditProductResult =
  | { status: 'edited'; product: Product }
  | { status: 'version_conflict'; product: Product }
  | { status: 'not_found' | 'media_not_found' };

/** Changes a product based on the version the editor saw, and renews the pages that show it. */
export async function editProduct(
  actor: Actor,
  productId: string,
  input: EditProductInput,
): Promise<EditProductResult> {
  const owner = await findProductOwner(productId);
  if (!owner) return { status: 'not_found' };
  const result = await transaction(async (tx) => {
    if (!(await mayManage(actor, owner.merchantId, 'settings', tx))) return { status: 'not_found' as const };
    const edited = await updateProduct(tx, productId, input);
    if (edited.status === 'edited') {
      const fields = changedFields(recorded(edited.before), recorded(edited.product));
      const subject = { kind: 'product', id: productId };
      if (fields) await recordAction(tx, actor, { action: 'product.edit', subject, ...fields });
    }
    return edited;
  });
  if (result.status !== 'edited') return result;
  await Promise.all(result.sales.map(({ saleId }) => forgetSaleInfo(saleId)));
  for (const [campaign, sales] of groupBy(result.sales, (sale) => sale.campaign))
    await renewSalePages(
      sales.map(({ slug }) => slug),
      campaign,
    );
  return { status: 'edited', product: result.product };
}

const recorded = ({ version: _, ...product }: Product) => product;
