import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import type { Address } from '@/lib/contract/shapes/address';
import type { ParcelFilter } from '@/lib/contract/shapes/delivery';
import type { AdminOrder } from '@/lib/contract/shapes/order';
import { MAX_ADDRESS_LINES } from '@/lib/contract/words/delivery';
import { csvLine } from '@/lib/csv';
import { readAddresses } from '@/lib/delivery/records/read-addresses';
import { readAdminOrders } from '@/lib/order/admin/list-admin-orders';

const BATCH = 1_000;
const LINES = Array.from({ length: MAX_ADDRESS_LINES }, (_, at) => at);
const COLUMNS = [
  ...['order_no', 'sale', 'variant', 'quantity', 'email', 'name'],
  ...LINES.map((at) => `line_${at + 1}`),
  ...['city', 'region', 'postal_code', 'country', 'phone'],
];

/**
 * Yields where parcels go as CSV, newest order first, in pieces of at most 1,000 lines. An address that was forgotten meanwhile is
 * left out with its order.
 */
export async function* exportParcels(actor: Actor, { step, saleId }: ParcelFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for (let below: bigint | undefined; ; ) {
    const shops = await shopsOf(actor, 'export');
    const orders = await readAdminOrders(shops, { delivery: step, saleId }, { below, limit: BATCH });
    const addresses = await readAddresses(orders.map(({ orderNo }) => orderNo));
    const lines = orders.flatMap((order) => {
      const address = addresses.get(order.orderNo);
      return address ? [toLine(order, address)] : [];
    });
    if (lines.length > 0) yield lines.join('');
    const last = orders.at(-1);
    if (!last || orders.length < BATCH) return;
    below = BigInt(last.orderNo);
  }
}

const toLine = (
  order: AdminOrder,
  { name, lines, city, region, postalCode, country, phone }: Address,
): string =>
  csvLine([
    order.orderNo,
    order.saleTitle,
    order.variantName ?? '',
    String(order.quantity),
    order.email,
    name,
    ...LINES.map((at) => lines[at] ?? ''),
    city,
    region,
    postalCode,
    country,
    phone,
  ]);
