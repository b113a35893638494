import { describe, expect, it } from 'vitest';
import { readPlainRequest } from './plain-request';

const MAX_HEAD = 1_000;
const MAX_BODY = 100;
const MAX_TARGET = 500;
const read = (text: string) =>
  readPlainRequest(text, {
    maxHeaderBytes: MAX_HEAD,
    maxTargetChars: MAX_TARGET,
    maxPurchaseBodyBytes: MAX_BODY,
  });
const post = (headers: string[], body = '') =>
  ['POST /api/sales/s1/purchase/g1 HTTP/1.1', ...headers, '', body].join('\r\n');
const HOST = 'Host: localhost';

describe('a plain request', () => {
  it('[E1] is a purchase with its token, headers in any spelling and order', () => {
    expect(read(post(['x-entry-TOKEN: \t a.b ', 'Accept: */*', HOST]))).toEqual({
      route: { name: 'purchase', saleId: 's1', gate: 'g1' },
      target: '/api/sales/s1/purchase/g1',
      entryToken: 'a.b',
      acceptEncoding: undefined,
      ifNoneMatch: undefined,
      isLast: false,
      body: '',
      length: expect.any(Number),
    });
  });

  it('[E1] has a body of as many bytes as it says, in UTF-8, and ends there', () => {
    const body = Buffer.from('{"é":1}').toString('latin1');
    const text = post([HOST, `Content-Length: ${body.length}`], body);
    expect(read(`${text}POST /next`)).toMatchObject({ body: '{"é":1}', length: text.length });
    expect(read(text.slice(0, -1))).toBeNull();
  });

  it('[A1] says how a page may be sent', () => {
    const text = `GET / HTTP/1.1\r\n${HOST}\r\nAccept-Encoding: gzip, br\r\nIf-None-Match: "x"\r\nConnection: Close\r\n\r\n`;
    expect(read(text)).toMatchObject({ acceptEncoding: 'gzip, br', ifNoneMatch: '"x"', isLast: true });
  });

  it('[A6] is left to node:http when anything about it could be read in two ways', () => {
    const others: Record<string, string> = {
      'no end of the head': post([HOST]).slice(0, -2),
      'a head too long': post([HOST, `X: ${'y'.repeat(MAX_HEAD)}`]),
      'a target too long': post([HOST]).replace('/g1', `/${'g'.repeat(MAX_TARGET)}`),
      'a body too long': post([HOST, 'Content-Length: 101'], 'y'.repeat(101)),
      'a body where none belongs': `GET / HTTP/1.1\r\n${HOST}\r\nContent-Length: 1\r\n\r\nx`,
      'no host': post(['X: y']),
      'two hosts': post([HOST, HOST]),
      'two tokens': post([HOST, 'X-Entry-Token: a', 'X-Entry-Token: b']),
      'two lengths': post([HOST, 'Content-Length: 0', 'Content-Length: 0']),
      'a signed length': post([HOST, 'Content-Length: +0']),
      'a chunked body': post([HOST, 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      'an upgrade': post([HOST, 'Connection: Upgrade', 'Upgrade: websocket']),
      'an expectation': post([HOST, 'Expect: 100-continue']),
      'a folded line': post([HOST, 'X: y', ' z']),
      'a bare line feed': post([HOST, 'X: y\nX-Entry-Token: z']),
      'a bare carriage return': post([HOST, 'X: y\rz']),
      'a space before the colon': post([HOST, 'Content-Length : 0']),
      'a line without a colon': post([HOST, 'nonsense']),
      'a nameless header': post([HOST, ': x']),
      'a control character': post([HOST, 'X: \0']),
      'HTTP/1.0': post([HOST]).replace('HTTP/1.1', 'HTTP/1.0'),
      'two spaces': post([HOST]).replace('POST ', 'POST  '),
      'another method': post([HOST]).replace('POST', 'PUT'),
      'a cold route': post([HOST]).replace('/purchase/', '/entry/'),
      'a target with an escape': post([HOST]).replace('/g1', '/%671'),
      'an absolute target': post([HOST]).replace(' /api', ' http://localhost/api'),
      "a fragment for Next's router": `GET / HTTP/1.1\r\n${HOST}\r\nRSC: 1\r\n\r\n`,
      'the secret that asks for Next': post([HOST, 'X-Seckill-Lane: x']),
      'no headers at all': 'GET / HTTP/1.1\r\n\r\n',
      nothing: '',
      noise: '\0\x01\r\n\r\n',
    };
    for (const [what, text] of Object.entries(others)) expect(read(text), what).toBeNull();
  });
});
