import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { tagsOfPage } from '@/lib/cdn/tags';
import { tagHeaders } from '@/lib/cdn/vendors';
import { isForPrograms } from '@/lib/http/is-for-programs';
import { prefixFragment, prefixPage } from './asset-prefix';
import { type PageSettings, pagePolicy, SCRIPT_POLICY, SECURITY_HEADERS } from './security-headers';

const POLICY = 'content-security-policy';
const HSTS = 'strict-transport-security';
/** A year. Leaves subdomains out: they are not ours to decide about. */
const HSTS_VALUE = 'max-age=31536000';
const SCRIPTS = '/_next/static/';
const IS_PAGE = /^text\/html\b/i;
/** The router in the browser asks Next for this type instead of a page. */
const IS_FRAGMENT = /^text\/x-component\b/i;
/** Another name of the shop may give out scripts and styles: they are the same for everybody. */
const SHARED_FILE = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

/**
 * Adds to every answer of a handler the headers that protect browsers, HSTS where the shop is on https, and to every
 * page, errors and "not found" included, a policy for exactly its bytes. Holds a page back until it is complete: ours
 * always are. Where scripts have another name, it writes that into pages and fragments.
 */
export function guardPages<Q extends IncomingMessage, S extends ServerResponse>(
  handler: (request: Q, response: S) => Promise<void>,
  settings: PageSettings,
): (request: Q, response: S) => Promise<void> {
  return (request, response) => {
    for (const { key, value } of SECURITY_HEADERS) response.setHeader(key, value);
    if (settings.isSecure) response.setHeader(HSTS, HSTS_VALUE);
    const { url = '' } = request;
    const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    if (url.startsWith(SCRIPTS)) {
      response.setHeader(POLICY, SCRIPT_POLICY);
      if (settings.assetOrigin !== undefined)
        for (const [name, value] of Object.entries(SHARED_FILE)) response.setHeader(name, value);
    } else if (!isForPrograms(url)) {
      for (const [name, value] of Object.entries(tagHeaders(settings.cdnVendor, tagsOfPage(url))))
        response.setHeader(name, value);
      if (request.headers.rsc === undefined || settings.assetOrigin !== undefined) {
        // The policy, and the name of the scripts, need all bytes, uncompressed.
        request.headers['accept-encoding'] = undefined;
        request.headers['if-none-match'] = undefined;
      }
    }
    holdPages(response, settings, takesGzip);
    return handler(request, response);
  };
}

/** Makes a response hold a page back until its end. Other answers go out as they come. */
function holdPages(response: ServerResponse, settings: PageSettings, takesGzip: boolean): void {
  const { assetOrigin } = settings;
  const { writeHead, write, end, flushHeaders } = response;
  const parts: Buffer[] = [];
  const contentType = (given?: string) => given ?? String(response.getHeader('content-type') ?? '');
  const isPage = (given?: string) =>
    !response.headersSent &&
    (IS_PAGE.test(contentType(given)) || (assetOrigin !== undefined && IS_FRAGMENT.test(contentType(given))));
  const hold = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') parts.push(Buffer.from(chunk, encodingOf(encoding)));
    else if (chunk instanceof Uint8Array) parts.push(Buffer.from(chunk));
  };

  response.writeHead = ((status: number, ...more: unknown[]) => {
    const pairs = more.flatMap((headers) => (typeof headers === 'object' ? pairsOf(headers) : []));
    if (!isPage(pairs.find(([name]) => /^content-type$/i.test(name))?.[1]))
      return writeHead.call(response, status, ...(more as []));
    response.statusCode = status;
    for (const [name, value] of pairs) response.setHeader(name, value);
    return response;
  }) as typeof writeHead;
  response.flushHeaders = () => {
    if (!isPage()) flushHeaders.call(response);
  };
  response.write = ((chunk: unknown, ...more: unknown[]) => {
    if (!isPage()) return write.call(response, chunk, ...(more as [BufferEncoding]));
    hold(chunk, more[0]);
    const done = more.find((argument) => typeof argument === 'function');
    if (done) process.nextTick(done as () => void);
    return true;
  }) as typeof write;
  response.end = ((...all: unknown[]) => {
    if (!isPage()) return end.call(response, ...(all as [unknown, BufferEncoding]));
    hold(all[0], all[1]);
    let body: Buffer = Buffer.concat(parts);
    if (IS_FRAGMENT.test(contentType())) {
      body = prefixFragment(body, assetOrigin ?? '');
      response.appendHeader('Vary', 'Accept-Encoding');
      if (takesGzip && body.length > 0) {
        body = gzipSync(body);
        response.setHeader('Content-Encoding', 'gzip');
      }
    } else {
      const html = body.toString('utf8');
      const prefixed = assetOrigin === undefined ? html : prefixPage(html, assetOrigin);
      if (prefixed !== html) body = Buffer.from(prefixed);
      response.setHeader(POLICY, pagePolicy(prefixed, settings));
    }
    // An answer to HEAD has no body to measure.
    if (body.length > 0) response.setHeader('content-length', body.length);
    writeHead.call(response, response.statusCode);
    const done = all.find((argument) => typeof argument === 'function');
    return end.call(response, body, 'utf8', done as (() => void) | undefined);
  }) as typeof end;
}

const encodingOf = (encoding: unknown): BufferEncoding =>
  typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';

/** Lists headers as `writeHead` takes them: an object, or a list of name, value, name, value … */
function pairsOf(headers: object | null): [string, string][] {
  if (!Array.isArray(headers)) return Object.entries(headers ?? {});
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]] as [string, string]] : []));
}
