import type { ServerResponse } from 'node:http';
import type { WirePage } from './wire';

/**
 * Turns a web `Response` into what the wire writes.
 * @param common headers of every answer: name, value …
 */
export async function toWirePage(answered: Response, common: readonly string[]): Promise<WirePage> {
  const body = Buffer.from(await answered.text());
  const headers = [...common];
  answered.headers.forEach((value, name) => void headers.push(name, value));
  headers.push('content-length', String(body.length));
  return { status: answered.status, headers, body };
}

/**
 * Writes a web `Response` as node:http's answer, in one piece.
 * @param common headers of every answer: name, value …
 */
export async function writeResponse(
  response: ServerResponse,
  answered: Response,
  common: readonly string[],
): Promise<void> {
  writePage(response, await toWirePage(answered, common));
}

/** Writes an answer that is complete as node:http's answer. */
export function writePage(response: ServerResponse, { status, headers, body }: WirePage): void {
  response.writeHead(status, [...headers]);
  response.end(body);
}
