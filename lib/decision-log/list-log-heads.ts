import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { LogHead } from '@/lib/contract/shapes/decision-log';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { type HeadPlace, readHeads } from './read-heads';

type Heads =
  | { status: 'found'; heads: LogHead[]; nextCursor: string | null }
  | { status: 'sale_not_found' | 'bad_cursor' };

/** Lists the signed heads of a sale's decision log, the latest first. */
export async function listLogHeads(saleId: string, { cursor, limit }: Page): Promise<Heads> {
  const after = cursor === undefined ? null : toPlace(decodeCursor(cursor));
  if (after === undefined) return { status: 'bad_cursor' };
  const heads = await readHeads(saleId, limit + 1, after);
  if (heads.length === 0 && !(await findSaleInfo(saleId))) return { status: 'sale_not_found' };
  const page = heads.slice(0, limit);
  const last = page.at(-1);
  const nextCursor =
    last && heads.length > limit ? encodeCursor(`${last.size}${last.final ? 'f' : ''}`) : null;
  return { status: 'found', heads: page, nextCursor };
}

function toPlace(key: string): HeadPlace | undefined {
  const [, size, final] = /^(\d{1,12})(f?)$/.exec(key) ?? [];
  return size === undefined ? undefined : { size: Number(size), final: final === 'f' };
}
