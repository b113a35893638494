import 'server-only';
import { listBlocks } from '@/lib/block/list-blocks';
import type { BlockFilter } from '@/lib/contract/shapes/block';
import { CSV_HEAD, toCsvLine } from './block-csv';

const PAGE_SIZE = 1_000;

/**
 * Yields the blocklist as CSV, newest first, piece by piece as it is read: a million blocks need no more memory than
 * a thousand.
 */
export async function* exportBlocks(filter: BlockFilter): AsyncGenerator<string> {
  yield CSV_HEAD;
  for (let cursor: string | undefined; ; ) {
    const page = await listBlocks({ cursor, limit: PAGE_SIZE }, filter);
    if (!page) throw new Error('our own cursor is foreign');
    yield page.blocks.map(toCsvLine).join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
