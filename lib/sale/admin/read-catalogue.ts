import type { z } from 'zod';
import { type Locale, routing } from '@/i18n/routing';
import { type CatalogueColumn, type CellError, catalogueColumn } from '@/lib/contract/shapes/catalogue';
import { type CreateProductInput, newProduct } from '@/lib/contract/shapes/product';
import { type CreateSaleInput, newSale } from '@/lib/contract/shapes/sale-input';
import { MAX_CATALOGUE_LINES } from '@/lib/contract/words/catalogue';
import { cellsBy, type ParsedCsv, parseCsv, parseInstant } from '@/lib/csv';
import { parseMoney } from '@/lib/money';
import { parseTaxRate } from '@/lib/parse-tax-rate';

/** A line of the file: a product, and the sale of it where the line has one. */
export type CatalogueLine = { line: number; product: CreateProductInput; sale: CreateSaleInput | null };

type ReadCatalogue =
  | { status: 'read'; lines: CatalogueLine[]; errors: CellError[] }
  | Extract<ParsedCsv, { status: 'malformed' }>
  | { status: 'no_columns'; missing: string[] }
  | { status: 'too_many' };

/** Where a field of the contract stands in a line. Fields that are not here have the name of their column. */
const COLUMN_OF: Record<string, CatalogueColumn> = {
  title: 'sale',
  priceMinor: 'price',
  listPriceMinor: 'list_price',
  totalStock: 'stock',
  limitPerUser: 'limit',
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  weightGrams: 'weight_grams',
  taxRate: 'tax_percent',
};
/** Fields with a value for each language. */
const BY_LANGUAGE = new Set(['texts', 'titles']);
/** Stands for the product of a sale until that is made. */
const NO_PRODUCT = 'none';

/**
 * Reads products, and sales of them, from CSV. The first line names the columns; unknown ones are ignored. The same product may
 * stand in several lines, each with a sale. Pure.
 */
export function readCatalogue(text: string): ReadCatalogue {
  const parsed = parseCsv(text);
  if (parsed.status === 'malformed') return parsed;
  const [head = { cells: [] }, ...rows] = parsed.rows;
  const { names, cellOf } = cellsBy<CatalogueColumn>(head.cells);
  const missing = ['slug', 'name'].filter((name) => !names.includes(name));
  if (missing.length > 0) return { status: 'no_columns', missing };
  if (rows.length > MAX_CATALOGUE_LINES) return { status: 'too_many' };
  const [lines, errors]: [CatalogueLine[], CellError[]] = [[], []];
  const seen = new Map<string, string>();
  for (const { line, cells } of rows) {
    const cell = (name: CatalogueColumn) => cellOf(cells, name);
    const product = newProduct.safeParse(productOf(cell));
    const sale = cell('sale') === '' ? null : newSale.safeParse(saleOf(cell));
    const wrong = wrongColumns(product.error, sale?.error);
    for (const column of wrong)
      errors.push({ line, column, problem: cell(column) === '' ? 'required' : 'invalid' });
    if (!product.data || wrong.size > 0) continue;
    const told = JSON.stringify(product.data);
    if ((seen.get(product.data.slug) ?? told) !== told)
      errors.push({ line, column: 'slug', problem: 'otherwise' });
    seen.set(product.data.slug, told);
    lines.push({ line, product: product.data, sale: sale?.data ?? null });
  }
  return { status: 'read', lines, errors };
}

type Cell = (name: CatalogueColumn) => string;

/** Leaves out the languages of which a line says nothing. */
const byLanguage = <T>(of: (locale: Locale) => T | undefined) =>
  Object.fromEntries(
    routing.locales.map((locale) => [locale, of(locale)] as const).filter(([, value]) => value !== undefined),
  );

const productOf = (cell: Cell) => ({
  slug: cell('slug'),
  name: cell('name'),
  description: cell('description'),
  texts: byLanguage((locale) => {
    const [name, description] = [cell(`name_${locale}`), cell(`description_${locale}`)];
    return name || description ? { ...(name && { name }), ...(description && { description }) } : undefined;
  }),
  delivery: cell('delivery') === '' ? null : { way: cell('delivery') },
  weightGrams: cell('weight_grams') === '' ? null : whole(cell('weight_grams')),
  taxRate: cell('tax_percent') === '' ? null : (parseTaxRate(cell('tax_percent')) ?? Number.NaN),
});

/** Reads a whole number; NaN: it is none. */
const whole = (text: string) => (/^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN);

function saleOf(cell: Cell) {
  const money = (name: CatalogueColumn) => parseMoney(cell(name), cell('currency')) ?? Number.NaN;
  return {
    productId: NO_PRODUCT,
    title: cell('sale'),
    titles: byLanguage((locale) => cell(`sale_${locale}`) || undefined),
    priceMinor: money('price'),
    listPriceMinor: cell('list_price') === '' ? null : money('list_price'),
    currency: cell('currency'),
    totalStock: whole(cell('stock')),
    limitPerUser: cell('limit') === '' ? 1 : whole(cell('limit')),
    startsAt: parseInstant(cell('starts_at')),
    endsAt: parseInstant(cell('ends_at')),
  };
}

function wrongColumns(...errors: (z.ZodError | undefined)[]): Set<CatalogueColumn> {
  return new Set(
    errors.flatMap((error) => error?.issues ?? []).map(({ path }) => columnOf(path.map(String))),
  );
}

function columnOf([field = '', ...rest]: readonly string[]): CatalogueColumn {
  const [locale = '', inner = 'sale'] = rest;
  const name = locale && BY_LANGUAGE.has(field) ? `${inner}_${locale}` : field;
  return catalogueColumn.safeParse(name).data ?? COLUMN_OF[field] ?? 'sale';
}
