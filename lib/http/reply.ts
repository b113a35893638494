/** A small reply record, free of any framework: what the hot routes return and every adapter can send. */
export type Reply = { status: number; headers: Record<string, string>; body: string };

/** Adapts a reply record to the web's Response. */
export function toResponse(reply: Reply): Response {
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
}
