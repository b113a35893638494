const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('ength: ');
const CHUNKED = Buffer.from('chunked');
const LAST_CHUNK = '0\r\n\r\n';
const STATUS_AT = 9;
const BODILESS = new Set([204, 304]);

/**
 * Finds the ends of HTTP/1.1 replies in the bytes of one connection that has at most one request in flight. It does
 * as little work as possible: a generator that parses more than it must measures itself.
 * @param onReply gets the status of every complete reply.
 */
export function createReplyReader(onReply: (status: number) => void): (chunk: Buffer) => void {
  let head: Buffer | null = null;
  let status = 0;
  /** Bytes of the body still to come; −1 = until the last chunk. */
  let left = 0;
  let tail = '';

  const finish = () => {
    const done = status;
    status = 0;
    tail = '';
    onReply(done);
  };

  return function read(chunk) {
    let data = chunk;
    if (status === 0) {
      if (head) data = Buffer.concat([head, data]);
      const end = data.indexOf(HEAD_END);
      if (end < 0) {
        // The bytes are in a buffer that all connections share, so we must copy the part we keep.
        head = Buffer.from(data);
        return;
      }
      head = null;
      status =
        (data[STATUS_AT] ?? 0) * 100 + (data[STATUS_AT + 1] ?? 0) * 10 + (data[STATUS_AT + 2] ?? 0) - 5328;
      left = BODILESS.has(status) ? 0 : bodyLength(data.subarray(0, end));
      data = data.subarray(end + HEAD_END.length);
    }
    if (left >= 0) {
      left -= data.length;
      if (left <= 0) finish();
      return;
    }
    tail = (tail + data.toString('latin1', Math.max(0, data.length - LAST_CHUNK.length))).slice(
      -LAST_CHUNK.length,
    );
    if (tail === LAST_CHUNK) finish();
  };
}

function bodyLength(head: Buffer): number {
  const at = head.indexOf(LENGTH);
  if (at < 0) return head.includes(CHUNKED) ? -1 : 0;
  let length = 0;
  for (let i = at + LENGTH.length; i < head.length; i += 1) {
    const digit = (head[i] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    length = length * 10 + digit;
  }
  return length;
}
