import type { ServerResponse } from 'node:http';
import type { Reply } from '@/lib/http/reply';

/** The status itself says that no body follows (RFC 9110, 8.6: no length). */
const NO_CONTENT = 204;

export type SendReply = (response: ServerResponse, reply: Reply) => void;

/**
 * Creates the function that sends reply records with the headers of every answer. Replies of one kind share their
 * headers object, so it builds the list for `writeHead` once for each kind.
 * @param common name, value, name, value …; a reply's own header, in small letters, takes the place of one of these
 */
export function createSender(common: readonly string[]): SendReply {
  const flattened = new WeakMap<Reply['headers'], string[]>();
  return (response, { status, headers, body }) => {
    let list = flattened.get(headers);
    if (!list) {
      const isOwn = (at: number) => String(common[at - (at % 2)]).toLowerCase() in headers;
      list = [...common.filter((_, at) => !isOwn(at)), ...Object.entries(headers).flat()];
      if (status !== NO_CONTENT) list.push('content-length', '');
      flattened.set(headers, list);
    }
    if (status !== NO_CONTENT) list[list.length - 1] = String(Buffer.byteLength(body));
    response.writeHead(status, list);
    response.end(body);
  };
}
