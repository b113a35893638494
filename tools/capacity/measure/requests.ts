import { createPersonConnection } from '@/tools/bench/load/person-connection';
import type { LoadResult } from '@/tools/bench/load/types';
import type { BenchSale } from '@/tools/bench/stack/sales';
import { issueEntryToken } from '@/tools/harness/issue-entry-token';

/** On a busy machine the shop may ask some to come again. */
const MOST_SENT_AWAY = 0.05;
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

/**
 * Returns how many answers of a run were the expected ones.
 * @throws when there was any other but a few "come again" (503): then it did not measure what it claims
 */
export function answersOf({ answers, sent }: LoadResult, expected: number): number {
  const good = answers[expected] ?? 0;
  const away = answers[503] ?? 0;
  if (good === 0 || good + away < sent || away > sent * MOST_SENT_AWAY)
    throw new Error(`expected ${sent} times ${expected}, got ${JSON.stringify(answers)}`);
  return good;
}
