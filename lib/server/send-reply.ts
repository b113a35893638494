import type { ServerResponse } from 'node:http';
import type { Reply } from '@/lib/http/reply';

/** Says by itself that nothing follows (RFC 9110, 8.6: no length). */
const NO_CONTENT = 204;

export type SendReply = (response: ServerResponse, reply: Reply) => void;

/**
 * How reply records are sent, with the headers every answer carries. Replies of one kind share their headers object, so
 * the list that `writeHead` takes is put together once for each.
 * @param common name, value, name, value …
 */
export function createSender(common: readonly string[]): SendReply {
  const flattened = new WeakMap<Reply['headers'], string[]>();
  return (response, { status, headers, body }) => {
    let list = flattened.get(headers);
    if (!list) {
      list = [...common, ...Object.entries(headers).flat()];
      if (status !== NO_CONTENT) list.push('content-length', '');
      flattened.set(headers, list);
    }
    if (status !== NO_CONTENT) list[list.length - 1] = String(Buffer.byteLength(body));
    response.writeHead(status, list);
    response.end(body);
  };
}
