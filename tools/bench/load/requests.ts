import { loadUserId } from '@/lib/admin/load/create-load-users';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { strangerRequests } from './stranger-requests';
import type { Source } from './types';

const VALID_MS = 60 * 60 * 1000;

/** The whole bytes of every request, made before the clock runs. The n-th purchase is the n-th user's, over all sales. */
export function buildRequests(source: Source): string[] {
  if (source.kind === 'repeat') return [source.request];
  if (source.kind === 'strangers') return strangerRequests(source.count);
  const expiresAt = Date.now() + VALID_MS;
  return Array.from({ length: source.count }, (_, i) => {
    const target = source.targets[i % source.targets.length];
    if (!target) throw new RangeError('purchases need a sale');
    const { saleId, gate } = target;
    const userId = loadUserId(source.fromUser + i);
    const token = signEntryToken({ userId, saleId, level: 0, jti: newId('jti'), expiresAt, device: '' });
    return `POST /api/sales/${saleId}/purchase/${gate} HTTP/1.1\r\nHost: localhost\r\nX-Entry-Token: ${token}\r\nContent-Length: 0\r\n\r\n`;
  });
}
