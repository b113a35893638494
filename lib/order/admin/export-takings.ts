import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { Takings, TakingsFilter } from '@/lib/contract/shapes/takings';
import { csvLine } from '@/lib/csv';
import { toDecimal } from '@/lib/money';
import { sumAllTakings } from './sum-takings';

const COLUMNS = ['day', 'sale_id', 'sale', 'currency', 'orders', 'taken', 'refunded', 'kept', 'to_be_paid'];

/** Yields what `sumAllTakings` returns as CSV, money as people write it: `19.90`. */
export async function* exportTakings(actor: Actor, filter: TakingsFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS) + (await sumAllTakings(actor, filter)).map(toLine).join('');
}

function toLine({ day, sale, currency, orders, takenMinor, refundedMinor, heldMinor }: Takings): string {
  const amounts = [takenMinor, refundedMinor, takenMinor - refundedMinor, heldMinor];
  return csvLine([
    day ?? '',
    sale?.saleId ?? '',
    sale?.title ?? '',
    currency,
    String(orders),
    ...amounts.map((amount) => toDecimal(amount, currency)),
  ]);
}
