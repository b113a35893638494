import 'server-only';
import { createHash } from 'node:crypto';
import { type Actor, shopForNew } from '@/lib/actor/actor';
import type { CatalogueImport, CellError, ImportedCatalogue } from '@/lib/contract/shapes/catalogue';
import { db } from '@/lib/db/client';
import { createProduct } from '@/lib/product/admin/create-product';
import { createSale } from './create-sale';
import { type CatalogueLine, readCatalogue } from './read-catalogue';

/** Errors beyond this are only counted, not named. */
const MAX_ERRORS = 100;

type ImportResult =
  | ({ status: 'imported' } & ImportedCatalogue)
  | Exclude<ReturnType<typeof readCatalogue>, { status: 'read' }>
  | { status: 'no_shop' };

/**
 * Makes the products and drafts of sales that a CSV file names, or nothing if a line is wrong. A product that the shop has stays
 * as it is. Importing a file again makes nothing twice, also one whose import ended half-way.
 * @throws NotAllowedError as `shopForNew`
 */
export async function importCatalogue(
  actor: Actor,
  { csv, isDryRun, shopId: asked }: CatalogueImport,
): Promise<ImportResult> {
  const shopId = await shopForNew(actor, asked, db());
  if (shopId === null) return { status: 'no_shop' };
  const read = readCatalogue(csv);
  if (read.status !== 'read') return read;
  const slugs = [...new Set(read.lines.map(({ product }) => product.slug))];
  const there = await db().product.findMany({
    where: { slug: { in: slugs } },
    select: { id: true, slug: true, merchantId: true, status: true },
  });
  const rows = new Map(there.map((row) => [row.slug, row]));
  const unusable = read.lines.flatMap(({ line, product, sale }): CellError[] => {
    const row = rows.get(product.slug);
    if (row && row.merchantId !== shopId) return [{ line, column: 'slug', problem: 'taken' }];
    return sale && row?.status === 'archived' ? [{ line, column: 'slug', problem: 'archived' }] : [];
  });
  const errors = [...read.errors, ...unusable].sort((a, b) => a.line - b.line);
  const failed = new Set(errors.map(({ line }) => line)).size;
  const counts = {
    products: slugs.length - there.length,
    sales: read.lines.filter(({ sale }) => sale !== null).length,
  };
  if (failed > 0)
    return { status: 'imported', ...counts, failed, errors: errors.slice(0, MAX_ERRORS), isPartial: false };
  const late = isDryRun ? null : await makeAll(actor, shopId, read.lines, there);
  const isPartial = late !== null;
  return { status: 'imported', ...counts, failed: late ? 1 : 0, errors: late ? [late] : [], isPartial };
}

/** A request's id that follows from what it asks for. */
const requestIdOf = (content: object): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');

/** @param there the shop's products @returns where it ended, because the line is not possible any more; null: all are made */
async function makeAll(
  actor: Actor,
  shopId: string,
  lines: readonly CatalogueLine[],
  there: readonly { slug: string; id: string }[],
): Promise<CellError | null> {
  const ids = new Map(there.map(({ slug, id }) => [slug, id]));
  for (const { line, product, sale } of lines) {
    if (!ids.has(product.slug)) {
      const input = { ...product, shopId };
      const made = await createProduct(actor, { ...input, requestId: requestIdOf(input) });
      if (made.status !== 'created') return { line, column: 'slug', problem: 'taken' };
      ids.set(product.slug, made.product.productId);
    }
    if (!sale) continue;
    const input = { ...sale, productId: ids.get(product.slug) ?? '' };
    const made = await createSale(actor, { ...input, requestId: requestIdOf(input) }, shopId);
    if (made.status === 'product_archived') return { line, column: 'slug', problem: 'archived' };
    if (made.status !== 'created') return { line, column: 'sale', problem: 'invalid' };
  }
  return null;
}
