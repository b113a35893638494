import 'server-only';
import type { BlockFilter, BlockView } from '@/lib/contract/shapes/block';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { literal } from '@/lib/db/literal';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import type { Prisma } from '@/prisma/generated/client';
import { networksAround, parseAddress } from './parse-network';
import { toView } from './types';

/** Returns one page of the blocklist, newest first. @returns null for a foreign cursor. */
export async function listBlocks(
  { cursor, limit }: Page,
  filter: BlockFilter,
): Promise<{ blocks: BlockView[]; nextCursor: string | null } | null> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const rows = await db().block.findMany({
    where: { ...whereOf(filter), id: before === undefined ? undefined : { lt: BigInt(before) } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return {
    blocks: page.map(toView),
    nextCursor,
  };
}

function whereOf({ state, kind, value }: BlockFilter): Prisma.BlockWhereInput {
  const isLive = { liftedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
  const address = value ? parseAddress(value) : null;
  const isOfIt = address === null ? { startsWith: literal(value ?? '') } : { in: networksAround(address) };
  return { kind, value: value ? isOfIt : undefined, ...(state === 'live' ? isLive : {}) };
}
