import { createPersonConnection } from '@/tools/bench/load/person-connection';
import type { BenchSale } from '@/tools/bench/stack/sales';
import { issueEntryToken } from '@/tools/harness/issue-entry-token';

const HOST = 'HTTP/1.1\r\nHost: localhost\r\n';

export const get = (path: string, headers = ''): string => `GET ${path} ${HOST}${headers}\r\n`;

export const post = (path: string, cookie: string, body = ''): string =>
  `POST ${path} ${HOST}Origin: http://localhost\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Builds a purchase with a token of its own. */
export function purchase(
  { saleId, gate }: BenchSale,
  userId: string,
): { request: string; entryToken: string } {
  const { entryToken } = issueEntryToken(userId, saleId);
  const request = `POST /api/sales/${saleId}/purchase/${gate} ${HOST}X-Entry-Token: ${entryToken}\r\nContent-Length: 0\r\n\r\n`;
  return { request, entryToken };
}

/** Sends one request. @returns status, text, and all bytes that came */
export async function askOnce(
  port: number,
  request: string,
): Promise<{ status: number; body: string; bytes: number }> {
  const connection = createPersonConnection(port, '127.0.0.1');
  try {
    const { status, head, body } = await connection.ask(request);
    return { status, body, bytes: Buffer.byteLength(head, 'latin1') + 4 + Buffer.byteLength(body, 'latin1') };
  } finally {
    connection.close();
  }
}
