import 'server-only';
import { db } from '@/lib/db/client';
import type { Verification } from './types';
import { type VerifyOptions, verifySale } from './verify-sale';

const PAGE = 100;

/** Verifies every sale that was ever published, one after the other. */
export async function* verifyPublishedSales(options: VerifyOptions = {}): AsyncGenerator<Verification> {
  let after = '';
  for (;;) {
    const sales = await db().sale.findMany({
      where: { status: { not: 'draft' }, id: { gt: after } },
      select: { id: true },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    for (const { id } of sales) {
      const verification = await verifySale(id, options);
      if (verification) yield verification;
    }
    const last = sales.at(-1);
    if (!last) return;
    after = last.id;
  }
}
