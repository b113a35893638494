/** The columns of a file of products, and of the sale that a line may have. */
export const CATALOGUE_COLUMNS = [
  'slug',
  'name',
  'description',
  'delivery',
  'weight_grams',
  'tax_percent',
  'sale',
  'price',
  'list_price',
  'currency',
  'stock',
  'limit',
  'starts_at',
  'ends_at',
] as const;
/** Those that there are for each language, too: `name_zh-CN`. */
export const TEXT_COLUMNS = ['name', 'description', 'sale'] as const;

/** The faults of a cell: it is empty, nobody can use it, another line says otherwise, another shop has it, or it is archived. */
export const CELL_PROBLEMS = ['required', 'invalid', 'otherwise', 'taken', 'archived'] as const;
export type CellProblem = (typeof CELL_PROBLEMS)[number];

/** The most lines of a file of products. */
export const MAX_CATALOGUE_LINES = 1_000;
