import 'server-only';
import { type Actor, demandAnywhere } from '@/lib/actor/actor';
import { deliveryMove, type ImportedShipments, type ShipmentError } from '@/lib/contract/shapes/delivery';
import { MAX_SHIPMENTS, type ShipmentColumn, type ShipmentProblem } from '@/lib/contract/words/delivery';
import { cellsBy, type ParsedCsv, parseCsv } from '@/lib/csv';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { parseOrderNo } from '@/lib/ids/order-no';
import { takeStep } from './take-step';

/** Wrong lines beyond this are only counted, not named. */
const MAX_ERRORS = 100;

type ImportResult =
  | ({ status: 'imported' } & ImportedShipments)
  | Extract<ParsedCsv, { status: 'malformed' }>
  | { status: 'no_columns'; missing: string[] }
  | { status: 'too_many' };

/**
 * Marks parcels as shipped by a CSV file, one after the other, as `takeStep` does; those that are not packed yet are packed
 * first. Skips lines whose parcel can't go, and says why. The same file again changes nothing.
 * @throws NotAllowedError if the actor may do it in no shop
 */
export async function importShipments(actor: Actor, text: string): Promise<ImportResult> {
  await demandAnywhere(actor, 'work');
  const parsed = parseCsv(text);
  if (parsed.status === 'malformed') return parsed;
  const [head = { cells: [] }, ...rows] = parsed.rows;
  const { names, cellOf } = cellsBy<ShipmentColumn>(head.cells);
  if (!names.includes('order_no')) return { status: 'no_columns', missing: ['order_no'] };
  if (rows.length > MAX_SHIPMENTS) return { status: 'too_many' };
  const errors: ShipmentError[] = [];
  for (const { line, cells } of rows) {
    const problem = await ship(actor, (name) => cellOf(cells, name));
    if (problem) errors.push({ line, problem });
  }
  const shipped = rows.length - errors.length;
  return { status: 'imported', shipped, failed: errors.length, errors: errors.slice(0, MAX_ERRORS) };
}

/** @returns why the parcel of a line can't go; null: it is on its way */
async function ship(actor: Actor, cell: (name: ShipmentColumn) => string): Promise<ShipmentProblem | null> {
  const orderNo = cell('order_no');
  const move = deliveryMove.safeParse({
    to: 'shipped',
    carrier: cell('carrier') || null,
    trackingNumber: cell('tracking_number') || null,
    trackingUrl: cell('tracking_url') || null,
  }).data;
  if (parseOrderNo(orderNo) === null || !move) return 'invalid';
  try {
    let result = await takeStep(actor, orderNo, move);
    if (result.status === 'wrong_step' && result.is === 'waiting') {
      result = await takeStep(actor, orderNo, { to: 'packed' });
      if (result.status === 'done') result = await takeStep(actor, orderNo, move);
    }
    return result.status === 'done' ? null : result.status;
  } catch (error) {
    // The order is of a shop in which they may look alone.
    if (error instanceof NotAllowedError) return 'not_found';
    throw error;
  }
}
