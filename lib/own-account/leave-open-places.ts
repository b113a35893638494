import 'server-only';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { leaveSaleLine } from '@/lib/line/leave-sale-line';
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist';
import { forgetOrigin } from '@/lib/waitlist/records/origins';

type OpenSale = { saleId: string; admission: 'first_come' | 'waiting_room' | 'draw'; waitlist: boolean };

/**
 * Gives up all places of a deleted account, so that others need not wait for them to be passed over, and forgets from
 * which device and network they were taken. Never fails: a place that could not be left leads to nothing, because its
 * account is banned.
 */
export async function leaveOpenPlaces(userId: string): Promise<void> {
  const sales = await listSales(userId).catch((err: unknown) => {
    log.warn({ userId, err }, 'the places of a deleted account were not left');
    return [];
  });
  for (const sale of sales)
    await leave(sale, userId).catch((err: unknown) =>
      log.warn({ userId, saleId: sale.saleId, err }, 'a place of a deleted account was not left'),
    );
}

async function leave(sale: OpenSale, userId: string): Promise<void> {
  const left = await leaveSaleLine(sale, userId);
  if (left.status === 'not_in_line') await leaveWaitlist(sale.saleId, userId);
  await forgetOrigin(sale.saleId, userId);
}

const listSales = (userId: string): Promise<OpenSale[]> =>
  db().$queryRaw`
    WITH forgotten AS (UPDATE line_entries SET device = NULL, network = NULL
                       WHERE user_id = ${userId} AND (device IS NOT NULL OR network IS NOT NULL))
    SELECT id AS "saleId", admission, waitlist FROM sales
    WHERE status = 'published' AND id IN (
      SELECT sale_id FROM line_entries WHERE user_id = ${userId} AND left_at IS NULL
      UNION
      SELECT sale_id FROM waitlist_entries
      WHERE user_id = ${userId} AND left_at IS NULL AND given_at IS NULL AND passed_at IS NULL)`;
