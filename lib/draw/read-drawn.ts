import 'server-only';
import { db } from '@/lib/db/client';

/** Reads those who were drawn and not passed over, in order of their places. @param after the last place read; −1: none */
export const readDrawn = (
  saleId: string,
  after: number,
  most: number,
): Promise<{ place: number; user_id: string }[]> =>
  db().$queryRaw`
    SELECT place, user_id FROM line_entries
    WHERE sale_id = ${saleId} AND place > ${after} AND passed_over IS NULL ORDER BY place LIMIT ${most}`;
