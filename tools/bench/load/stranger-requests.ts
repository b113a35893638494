import { randomBytes } from 'node:crypto';

/** Addresses that any stranger can make up, each different every time: unknown pages, queries, names that do not exist. */
const MADE_UP: readonly ((word: string) => string)[] = [
  (word) => `/orders/${word}`,
  (word) => `/zh-CN/orders/${word}`,
  (word) => `/pay/sandbox/${word}`,
  (word) => `/zh-CN/pay/sandbox/${word}`,
  (word) => `/admin/sales/${word}`,
  (word) => `/zh-CN/admin/sales/${word}`,
  (word) => `/admin/orders/${word}`,
  (word) => `/zh-CN/admin/orders/${word}`,
  (word) => `/?${word}=1`,
  (word) => `/zh-CN/signin?callbackUrl=/${word}`,
  (word) => `/${word}`,
  (word) => `/zh-CN/${word}/${word}`,
  (word) => `/${word}.php?id=1`,
  (word) => `/api/${word}`,
  (word) => `/_next/static/chunks/${word}.js`,
  (word) => `/_next/image?url=%2F${word}&w=640&q=75`,
  (word) => `/products/${word}.svg`,
];

/** Builds requests of a stranger who asks for made-up addresses, one kind after the other. */
export function strangerRequests(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const path = MADE_UP[n % MADE_UP.length]?.(randomBytes(6).toString('hex')) ?? '/';
    return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAccept-Encoding: gzip, br\r\n\r\n`;
  });
}
