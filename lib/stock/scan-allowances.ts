import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

const PAGE_SIZE = 500;

/**
 * Reads, in pages, what Redis lets each user have in one stock of a campaign with a limit. Users who enter while the scan
 * runs may be missing or appear as they were. @throws connection errors
 */
export async function* scanAllowances(stockId: string): AsyncGenerator<Map<string, number>> {
  let cursor = '0';
  do {
    const [next, flat] = await stockRedis().hscan(keys.allowances(stockId), cursor, 'COUNT', PAGE_SIZE);
    cursor = next;
    const page = new Map<string, number>();
    for (let at = 0; at + 1 < flat.length; at += 2)
      page.set(flat[at] as string, Number.parseInt(flat[at + 1] as string, 10));
    if (page.size > 0) yield page;
  } while (cursor !== '0');
}
