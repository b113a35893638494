import { describe, expect, it } from 'vitest';
import { readHeaders, readPlainRequest } from './plain-request';

const MAX_HEAD = 1_000;
const MAX_BODY = 100;
const MAX_TARGET = 500;
const LIMITS = { maxHeaderBytes: MAX_HEAD, maxTargetChars: MAX_TARGET, maxPurchaseBodyBytes: MAX_BODY };
const read = (text: string) => readPlainRequest(text, LIMITS);
const post = (headers: string[], body = '') =>
  ['POST /api/sales/s1/purchase/g1 HTTP/1.1', ...headers, '', body].join('\r\n');
const HOST = 'Host: localhost';

describe('a plain request', () => {
  it('[E1] is a purchase with its token, headers in any spelling and order', () => {
    expect(read(post(['x-entry-TOKEN: \t a.b ', 'Accept: */*', HOST]))).toEqual({
      method: 'POST',
      lines: `x-entry-TOKEN: \t a.b \r\nAccept: */*\r\n${HOST}\r\n`,
      route: { name: 'purchase', saleId: 's1', gate: 'g1' },
      direct: null,
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

  it('[A1] may be one that the server answers itself, with a body if it is a POST', () => {
    const route = { method: 'GET', path: '/api/own', answer: async () => new Response() };
    const found = { route, params: {} };
    const findDirect = (_method: string, target: string) => (target === '/api/own' ? found : null);
    const own = (method: string, target: string, body: string) =>
      readPlainRequest(
        `${method} ${target} HTTP/1.1\r\n${HOST}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        LIMITS,
        findDirect,
      );
    expect(own('POST', '/api/own', '{}')).toMatchObject({
      method: 'POST',
      route: null,
      direct: found,
      body: '{}',
    });
    expect(own('GET', '/api/own', '')).toMatchObject({ method: 'GET', target: '/api/own', route: null });
    expect(own('GET', '/api/own', '{}')).toBeNull();
    expect(own('GET', '/api/other', '')).toBeNull();
    expect(own('POST', '/api/own', 'x'.repeat(MAX_BODY + 1))).toBeNull();
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

describe('the headers of a plain request', () => {
  it('[A6] are read as node:http gives them', () => {
    expect(readHeaders('Host: a\r\nX-Own:  \xe9\t\r\nCOOKIE:b=c\r\nEmpty:\r\n')).toEqual({
      headers: { host: 'a', 'x-own': '\xe9', cookie: 'b=c', empty: '' },
      rawHeaders: ['Host', 'a', 'X-Own', '\xe9', 'COOKIE', 'b=c', 'Empty', ''],
    });
  });

  it('[A6] are left to node:http if one is repeated, and name nothing of JavaScript', () => {
    expect(readHeaders('X-Own: a\r\nx-own: b\r\n')).toBeNull();
    const read = readHeaders('__proto__: a\r\nconstructor: b\r\n');
    expect(Object.keys(read?.headers ?? {})).toEqual(['__proto__', 'constructor']);
  });
});
