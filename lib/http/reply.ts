/** A small reply record, free of any framework. The hot routes return it, and every adapter can send it. */
export type Reply = { status: number; headers: Record<string, string>; body: string };

/** The headers of answers to one shopper. One object: code that answers often shares it, see `createSender`. */
export const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** Turns a reply record into the web's Response. */
export function toResponse(reply: Reply): Response {
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
}
