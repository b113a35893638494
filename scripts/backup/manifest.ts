import { z } from 'zod';

/** The last part of every backup. */
export const MANIFEST = 'manifest';

const part = z.object({
  /** `table public.orders`, or `file secrets.json`: a path in the data directory. */
  name: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const table = z.object({
  schema: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
});

const sequence = z.object({
  schema: z.string(),
  name: z.string(),
  /** The last number given; null: none yet. */
  value: z.string().nullable(),
});

/** The table of contents of a backup, by which it is checked. */
export const manifest = z.object({
  /** The version of the product that wrote the backup. */
  productVersion: z.string(),
  postgresVersion: z.string(),
  /** The moment of the snapshot, by Postgres's clock. */
  takenAt: z.string(),
  /** The names of the applied migrations. */
  migrations: z.array(z.string()),
  /** In an order in which every row finds what it refers to. */
  tables: z.array(table.extend({ ...part.shape, rows: z.number().int().nonnegative() })),
  files: z.array(part),
  sequences: z.array(sequence),
});

export type Manifest = z.infer<typeof manifest>;
export type Part = z.infer<typeof part>;
export type Table = z.infer<typeof table>;
export type Sequence = z.infer<typeof sequence>;

export const tableName = ({ schema, table: name }: Pick<Table, 'schema' | 'table'>): string =>
  `table ${schema}.${name}`;
export const fileName = (path: string): string => `file ${path}`;
