import { loadUserId } from '@/lib/load-test/create-load-users';
import { issueEntryToken } from '@/tools/harness/issue-entry-token';
import type { Source } from './types';

/**
 * Builds the complete bytes of every request before the clock runs. The n-th purchase is the n-th user's, over all
 * sales.
 */
export function buildRequests(source: Source): string[] {
  if (source.kind === 'repeat') return [source.request];
  if (source.kind === 'given') return [...source.requests];
  const bodies = (source.wishes ?? []).map((wish) => JSON.stringify(wish));
  const type = bodies.length > 0 ? 'Content-Type: application/json\r\n' : '';
  return Array.from({ length: source.count }, (_, i) => {
    const target = source.targets[i % source.targets.length];
    const body = bodies[i % bodies.length] ?? '';
    if (!target) throw new RangeError('purchases need a sale');
    const { saleId, gate } = target;
    const userId = loadUserId(source.fromUser + i);
    const { entryToken } = issueEntryToken(userId, saleId);
    return `POST /api/sales/${saleId}/purchase/${gate} HTTP/1.1\r\nHost: localhost\r\nX-Entry-Token: ${entryToken}\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`;
  });
}
