import 'server-only';
import { db } from '@/lib/db/client';

/**
 * Notes that a user has left all places in a sale's waitlist. Waits for a rebuild of the sale that has read them: what follows
 * in Redis then comes after it.
 * @param except the number of a place that has got its unit; null: none has
 * @returns how many places were left. @throws connection errors
 */
export const leaveInDatabase = (
  saleId: string,
  userId: string,
  except: number | null = null,
): Promise<number> =>
  db().$executeRaw`
    WITH sale AS (SELECT id FROM sales WHERE id = ${saleId} FOR KEY SHARE)
    UPDATE waitlist_entries SET left_at = now()
    WHERE sale_id = (SELECT id FROM sale) AND user_id = ${userId} AND left_at IS NULL AND given_at IS NULL AND passed_at IS NULL
      AND (${except}::bigint IS NULL OR number <> ${except}::bigint)`;
