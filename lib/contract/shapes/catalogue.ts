import { z } from 'zod';
import { type Locale, routing } from '@/i18n/routing';
import { CATALOGUE_COLUMNS, CELL_PROBLEMS, TEXT_COLUMNS } from '../words/catalogue';
import { count, csvFile, forShop } from './common';

export const catalogueImport = z.object({
  csv: csvFile,
  isDryRun: z.boolean().default(false).describe('Only checks, and makes nothing.'),
  shopId: forShop,
});
export type CatalogueImport = z.output<typeof catalogueImport>;

export type CatalogueColumn =
  | (typeof CATALOGUE_COLUMNS)[number]
  | `${(typeof TEXT_COLUMNS)[number]}_${Locale}`;
export const catalogueColumn = z.enum<CatalogueColumn[]>([
  ...CATALOGUE_COLUMNS,
  ...routing.locales.flatMap((locale) => TEXT_COLUMNS.map((name) => `${name}_${locale}` as const)),
]);

const cellError = z.object({
  line: z.int(),
  column: catalogueColumn,
  problem: z.enum(CELL_PROBLEMS),
});
export type CellError = z.output<typeof cellError>;

export const importedCatalogue = z.object({
  products: count.describe('Those that are new.'),
  sales: count.describe('Lines with a sale.'),
  failed: count.describe(
    'Lines with an error; if there is one, nothing is made of it and of the lines behind it.',
  ),
  errors: z.array(cellError).describe('The first 100.'),
  isPartial: z
    .boolean()
    .describe('The lines before the error were made: the shop changed while the file was taken.'),
});
export type ImportedCatalogue = z.output<typeof importedCatalogue>;
