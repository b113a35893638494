import type { Sale as SaleRow } from '@/prisma/generated/client';

/** Returns when a sale ends or has ended, in epoch ms: as planned, or when it was closed before that. */
export const endOf = ({ endsAt, closedAt }: Pick<SaleRow, 'endsAt' | 'closedAt'>): number =>
  Math.min(endsAt.getTime(), closedAt?.getTime() ?? Number.POSITIVE_INFINITY);
