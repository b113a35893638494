import type { ServerResponse } from 'node:http';

/**
 * Writes a web `Response` as node:http's answer, in one piece.
 * @param common headers of every answer: name, value …
 */
export async function writeResponse(
  response: ServerResponse,
  answered: Response,
  common: readonly string[],
): Promise<void> {
  const text = await answered.text();
  const headers = [...common];
  answered.headers.forEach((value, name) => void headers.push(name, value));
  headers.push('content-length', String(Buffer.byteLength(text)));
  response.writeHead(answered.status, headers);
  response.end(text);
}
