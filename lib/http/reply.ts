/** A small reply record, free of any framework. The hot routes return it, and every adapter can send it. */
export type Reply = { status: number; headers: Record<string, string>; body: string };

/** Turns a reply record into the web's Response. */
export function toResponse(reply: Reply): Response {
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
}
