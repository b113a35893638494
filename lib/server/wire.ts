import { STATUS_CODES } from 'node:http';
import type { Reply } from '@/lib/http/reply';

/** Turns answers into bytes, exactly as node:http would write them. */
export type Wire = {
  /** Returns the whole answer. `Buffer` if it contains more than ASCII. */
  reply: (reply: Reply, isLast: boolean) => string | Buffer;
  /**
   * Returns the whole answer with a kept page; builds it once a second, because of the date. @param headers name,
   * value …
   */
  page: (page: WirePage, isLast: boolean) => Buffer;
  /** Returns the head of an answer that goes on until its connection ends. @param headers without the common ones */
  streamHead: (headers: Reply['headers']) => string;
};

export type WirePage = { status: number; headers: readonly string[]; body: Buffer };

export const isPage = (answer: Reply | WirePage): answer is WirePage => typeof answer.body !== 'string';

const CLOSE = 'Connection: close\r\n\r\n';

/**
 * Creates the writer.
 * @param common name, value, name, value … of every answer of ours
 * @param idleMs reads how long an idle connection stays open, see `createIdleTime`
 */
export function createWire(common: readonly string[], idleMs: () => number): Wire {
  let keep = { idleMs: Number.NaN, text: '' };
  const heads = new WeakMap<Reply['headers'], Map<number, string>>();
  const pages = new WeakMap<WirePage['headers'], { second: number; bytes: Buffer }>();
  let second = 0;
  let date = '';

  const now = () => {
    const current = Math.floor(Date.now() / 1000);
    if (current !== second) {
      second = current;
      date = `Date: ${new Date(current * 1000).toUTCString()}\r\n`;
    }
    return date;
  };
  const headOf = ({ status, headers }: Reply): string => {
    let byStatus = heads.get(headers);
    if (!byStatus) {
      byStatus = new Map();
      heads.set(headers, byStatus);
    }
    let head = byStatus.get(status);
    if (head === undefined) {
      head = headText(status, [...common, ...Object.entries(headers).flat()]);
      byStatus.set(status, head);
    }
    return head;
  };

  const keepOpen = () => {
    const current = idleMs();
    if (current !== keep.idleMs) {
      const text = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(current / 1000)}\r\n\r\n`;
      keep = { idleMs: current, text };
    }
    return keep.text;
  };

  return {
    reply(reply, isLast) {
      const { body } = reply;
      const length = Buffer.byteLength(body);
      const text = `${headOf(reply)}content-length: ${length}\r\n${now()}${isLast ? CLOSE : keepOpen()}${body}`;
      return length === body.length ? text : Buffer.from(text);
    },
    page({ status, headers, body }, isLast) {
      const head = () =>
        Buffer.from(`${headText(status, headers)}${now()}${isLast ? CLOSE : keepOpen()}`, 'latin1');
      if (status !== 200 || isLast) return Buffer.concat([head(), body]);
      now();
      const kept = pages.get(headers);
      if (kept?.second === second) return kept.bytes;
      const bytes = Buffer.concat([head(), body]);
      pages.set(headers, { second, bytes });
      return bytes;
    },
    streamHead: (headers) => `${headOf({ status: 200, headers, body: '' })}${now()}\r\n`,
  };
}

function headText(status: number, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}
