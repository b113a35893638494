import { describe, expect, it } from 'vitest';
import { createReplyReader } from './reply-reader';

/** Returns the statuses in the order in which the replies were complete; the bytes arrive `size` at a time. */
function read(replies: readonly string[], size: number): number[] {
  const statuses: number[] = [];
  const feed = createReplyReader((status) => statuses.push(status));
  for (const [at, reply] of replies.entries()) {
    const bytes = Buffer.from(reply);
    for (let i = 0; i < bytes.length; i += size) {
      expect(statuses).toHaveLength(at);
      feed(bytes.subarray(i, i + size));
    }
  }
  return statuses;
}

const REPLIES = [
  'HTTP/1.1 202 Accepted\r\nContent-Length: 11\r\nDate: x\r\n\r\nhello world',
  'HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\nx\r\n0\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n',
  'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 3\r\n\r\nno!',
];

describe('the reply reader', () => {
  it.each([1, 2, 7, 40])('[E10] finds the end of every reply that arrives in pieces of %s', (size) => {
    const plain = REPLIES.filter((reply) => !reply.includes('chunked'));
    expect(read(plain, size)).toEqual([202, 409, 304, 503]);
  });

  it('[E10] finds the end of chunked and of whole replies', () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
    for (const size of [1, 3, 500]) expect(read([chunked, chunked], size)).toEqual([200, 200]);
    expect(read(REPLIES, 500)).toEqual([202, 409, 200, 304, 503]);
  });
});
