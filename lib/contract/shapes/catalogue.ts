import { z } from 'zod';
import { CATALOGUE_COLUMNS, CELL_PROBLEMS } from '../words/catalogue';
import { count, csvFile, forShop } from './common';

export const catalogueImport = z.object({
  csv: csvFile,
  isDryRun: z.boolean().default(false).describe('Only checks, and makes nothing.'),
  shopId: forShop,
});
export type CatalogueImport = z.output<typeof catalogueImport>;

const cellError = z.object({
  line: z.int(),
  column: z.enum(CATALOGUE_COLUMNS),
  problem: z.enum(CELL_PROBLEMS),
});
export type CellError = z.output<typeof cellError>;

export const importedCatalogue = z.object({
  products: count.describe('Those that are new.'),
  sales: count.describe('Lines with a sale.'),
  failed: count.describe('Lines with an error; if there is one, nothing is made of any line.'),
  errors: z.array(cellError).describe('The first 100.'),
});
export type ImportedCatalogue = z.output<typeof importedCatalogue>;
