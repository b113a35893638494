import { answerSales } from '@/lib/checkout/sales/answer-sales';
import { lookAtSales } from '@/lib/checkout/sales/follow-sales';
import { publishSales } from '@/lib/checkout/sales/publish-sales';
import type { LiveSale } from '@/lib/contract/shapes/sale';

type Answer = { sales: LiveSale[]; nextCursor: string | null };

/** For tests: publishes the list of sales as it is now, as a worker does, and has this process hear of it. */
export async function publishNow(): Promise<void> {
  // The first time finds that the copy is gone with its Redis, the next makes another.
  for (let tries = 0; tries < 3 && !(await publishSales()); tries += 1);
  await lookAtSales();
  // A look that was under way may have been too early.
  await lookAtSales();
}

/** For tests: a page of the list of sales as it is at this moment. */
export async function listedNow(query = 'limit=100'): Promise<Answer> {
  await publishNow();
  const { status, body } = await answerSales(query);
  if (status !== 200) throw new Error(body);
  return JSON.parse(body) as Answer;
}
