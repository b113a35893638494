import 'server-only';
import { Prisma } from '@/prisma/generated/client';

/** The providers of new payments: `usual` takes the money of each sale that names none of `named`. */
export type Takers = { usual: string; named: readonly string[] };

/** The provider that takes the money of the sale `s` of a statement. */
export const takerSql = ({ usual, named }: Takers) =>
  Prisma.sql`CASE WHEN s.provider = ANY (${named}::text[]) THEN s.provider ELSE ${usual} END`;
