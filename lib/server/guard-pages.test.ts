import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { guardPages } from './guard-pages';
import { DATA_POLICY, type PageSettings } from './security-headers';
import { rawGet } from './testing/raw-get';

const SCRIPTS = ['self.x=1', 'self.é = "</b>"'];
const HTML = `<html><script>${SCRIPTS[0]}</script><script src="/a.js"></script><script type="application/json">{}</script><script>${SCRIPTS[1]}</script></html>`;
const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

let stop = () => {};
afterEach(() => stop());

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(answer: Answer, settings: Partial<PageSettings> = {}): Promise<string> {
  const guarded = guardPages(
    async (request, response) => {
      response.setHeader('Content-Security-Policy', DATA_POLICY);
      answer(request, response);
    },
    { isSecure: false, ...settings },
  );
  const server = createServer((request, response) => void guarded(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The ways in which Next and Node write a page to a response. */
const WAYS: Record<string, Answer> = {
  'in one piece': (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(HTML);
  },
  'in pieces, as a stream': (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.flushHeaders();
    response.write(Buffer.from(HTML.slice(0, 30)), () => {
      response.write(new TextEncoder().encode(HTML.slice(30)));
      response.end();
    });
  },
  'as a missing page': (_, response) => {
    response.statusCode = 404;
    response.setHeader('content-type', 'text/html');
    response.write(HTML, 'utf8');
    response.end(() => {});
  },
  'with its head first': (_, response) => {
    response.writeHead(200, 'Fine', { 'content-type': 'text/html' });
    response.write(HTML.slice(0, 30));
    response.end(HTML.slice(30));
  },
  'with its head first, as a list': (_, response) => {
    response.writeHead(200, ['content-type', 'text/html']);
    response.end(HTML);
  },
  // As `compression` does, which Next wraps around a response.
  'with the head it has so far': (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.writeHead(response.statusCode);
    response.writeHead(response.statusCode);
    response.end(HTML);
  },
  'as an error': (_, response) => {
    response.statusCode = 500;
    response.setHeader('content-type', 'text/html');
    response.end(HTML, 'utf8');
  },
};

describe('pages', () => {
  it.each(Object.entries(WAYS))(
    '[N8] sent %s have the whole policy, with their scripts',
    async (_, answer) => {
      const { headers, body } = await rawGet(await serve(answer));
      const policy = String(headers['content-security-policy']);
      expect(body.toString()).toBe(HTML);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['content-length']).toBe(String(Buffer.byteLength(HTML)));
      expect(policy).toMatch(/^default-src 'none'; /);
      expect(policy).toContain(`; script-src 'self' ${SCRIPTS.map(hashOf).join(' ')}; `);
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
      for (const part of ['object-src', 'frame-ancestors', 'base-uri'])
        expect(policy).toMatch(new RegExp(`; ${part} 'none'(;|$)`));
      for (const part of ['form-action', 'connect-src']) expect(policy).toContain(`; ${part} 'self'`);
    },
  );

  it('[N8] are asked for whole: neither compressed nor "not modified"', async () => {
    const seen: unknown[] = [];
    const origin = await serve((request, response) => {
      seen.push(request.headers['accept-encoding'], request.headers['if-none-match']);
      response.end();
    });
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': '"x"' };
    await rawGet(`${origin}/orders/1`, headers);
    await rawGet(`${origin}/api/orders`, headers);
    await rawGet(`${origin}/orders/1`, { ...headers, rsc: '1' });
    expect(seen).toEqual([undefined, undefined, 'gzip', '"x"', 'gzip', '"x"']);
  });

  it('[N8] other answers go out as they come, under a policy that lets nothing run', async () => {
    let end = () => {};
    const origin = await serve((_, response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.flushHeaders();
      response.write('data: 1\n\n');
      end = () => response.end();
    });
    const answer = await fetch(origin);
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    end();
    expect(answer.headers.get('content-security-policy')).toBe(DATA_POLICY);
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  it('[N8] on https no answer is without HSTS, and no picture comes by http', async () => {
    const origin = await serve(
      (request, response) => {
        if (request.url === '/page') response.setHeader('content-type', 'text/html');
        response.end(HTML);
      },
      { isSecure: true },
    );
    for (const path of ['/page', '/api/x']) {
      const { headers } = await rawGet(`${origin}${path}`);
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    }
    const { headers } = await rawGet(`${origin}/page`);
    expect(headers['content-security-policy']).toContain("img-src 'self' data: https:;");
  });

  it('[K3] with other names allow exactly these, and take their files from theirs', async () => {
    const html = '<html><head></head><script src="/_next/static/a.js"></script></html>';
    const origin = await serve(
      (request, response) => {
        const type = request.headers.rsc === undefined ? 'text/html' : 'text/x-component';
        response.setHeader('content-type', type);
        response.end(type === 'text/html' ? html : '2:"/_next/static/a.js"\n');
      },
      { purchaseOrigin: 'http://buy.shop', assetOrigin: 'http://files.shop', cdnVendor: 'fastly' },
    );
    const { headers, body } = await rawGet(`${origin}/sales/lamp`);
    const policy = String(headers['content-security-policy']);
    const script =
      /<head><script>(.*)<\/script><\/head><script src="http:\/\/files\.shop\/_next\/static\/a\.js">/.exec(
        body.toString(),
      )?.[1];
    expect(policy).toContain(`script-src 'self' http://files.shop/_next/static/ ${hashOf(script ?? '')};`);
    expect(policy).toContain("style-src 'self' http://files.shop/_next/static/ 'unsafe-inline';");
    expect(policy).toContain("connect-src 'self' http://buy.shop;");
    expect(headers['surrogate-key']).toBe('sale-lamp');
    const fragment = await rawGet(`${origin}/sales/lamp`, { rsc: '1', 'accept-encoding': 'br, gzip' });
    expect(fragment.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(fragment.body).toString()).toBe('2:"http://files.shop/_next/static/a.js"\n');
    const file = await rawGet(`${origin}/_next/static/a.js`);
    expect(file.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect((await rawGet(`${origin}/api/x`)).headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});
