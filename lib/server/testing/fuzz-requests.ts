import fc from 'fast-check';

/** The parts a generated request is made of. */
export type Ingredients = {
  /** Methods with the targets they belong to; the generator also mixes both with others. */
  likely: readonly (readonly [method: string, target: string])[];
  tokens: readonly string[];
};

const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'get', 'GE T', ''];
const VERSIONS = [
  ' HTTP/1.1',
  ' HTTP/1.0',
  ' HTTP/2.0',
  ' HTTP/1.2',
  ' http/1.1',
  '  HTTP/1.1',
  ' HTTP/1.1 ',
  '',
];
const LINE_ENDS = ['\r\n', '\n', '\r', '\r\n ', '\r\n\r\n'];
const BODIES = [
  '',
  '',
  '',
  '{}',
  '{"quantity":1}',
  '{"quantity":0}',
  '{"quantity":',
  '[]',
  '\0',
  'é',
  'x'.repeat(1_100),
];
const NAMES = [
  'Accept',
  'Cookie',
  'User-Agent',
  'X',
  'RSC',
  'Range',
  'Next-Action',
  'If-None-Match',
  'X-Forwarded-For',
  'Trailer',
  'TE',
  'Upgrade',
  'Keep-Alive',
  'Connection',
  'Host',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'X-Entry-Token',
  'X-Seckill-Lane',
  'X-Seckill-Client',
  'Proxy-Connection',
  'HTTP2-Settings',
  'Accept-Encoding',
];
const VALUES = [
  '',
  ' ',
  '\t',
  'x',
  '1',
  '0',
  '00',
  '+1',
  '-1',
  '0x1',
  '1, 1',
  '99999999999',
  'close',
  'keep-alive',
  'Upgrade',
  'chunked',
  'gzip, chunked',
  'identity',
  '100-continue',
  'br',
  'gzip;q=0, br;q=0',
  '*',
  'localhost',
  'évil',
  '\u00ff',
  'a\0b',
  'a\rb',
  'a\nb',
  '"x"',
  'x'.repeat(300),
  'close, keep-alive',
  'bytes=0-1',
  '192.0.2.1, 10.0.0.1',
];

/** Picks the usual value nine times out of ten: plain requests are where the two readers can disagree. */
const mostly = <T>(usual: T, others: readonly T[]) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

/** Generates one request as latin1 text, complete or not, in a spelling that can be read in two ways. */
export function requestText({ likely, tokens }: Ingredients): fc.Arbitrary<string> {
  const targets = likely.map(([, target]) => target);
  const noise = fc.string({ unit: fc.constantFrom(...'aZ0_-%/.?#&=;:~@\\ é\u0080'), maxLength: 12 });
  const target = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...targets) },
    { weight: 1, arbitrary: noise.map((text) => `/${text}`) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...targets), noise).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: noise },
  );
  const words = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...likely).map((pair) => pair.join(' ')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...METHODS), mostly(' ', ['\t', '  ']), target)
        .map((parts) => parts.join('')),
    },
  );
  const header = fc
    .tuple(fc.constantFrom(...NAMES), mostly(':', [' :', '', '::', ':\t']), fc.constantFrom(...VALUES))
    .map((parts) => parts.join(''));
  return fc
    .record({
      line: fc.tuple(words, mostly(' HTTP/1.1', VERSIONS)),
      host: mostly('Host: localhost', ['host:localhost', 'Host: ', 'HOST:\tlocalhost ', 'X: y']),
      token: fc.option(fc.constantFrom(...tokens), { freq: 2 }),
      headers: fc.oneof(
        { weight: 3, arbitrary: fc.constant<string[]>([]) },
        { weight: 2, arbitrary: fc.array(header, { maxLength: 3 }) },
      ),
      body: fc.constantFrom(...BODIES),
      framing: fc.oneof(
        { weight: 8, arbitrary: fc.constant('length') },
        { weight: 2, arbitrary: fc.constantFrom('none', 'chunked', 'short', 'long', 'twice', 'both') },
      ),
      end: mostly('\r\n', LINE_ENDS),
      damage: fc.option(
        fc.record({
          at: fc.nat(400),
          remove: fc.nat(2),
          insert: fc.constantFrom('', '\0', '\r', '\n', ':', ' ', 'x'),
        }),
        { freq: 8 },
      ),
    })
    .map(({ line, host, token, headers, body, framing, end, damage }) => {
      const bytes = Buffer.from(body).toString('latin1');
      const fields = [host, ...(token === null ? [] : [`X-Entry-Token: ${token}`]), ...headers];
      const text = `${line.join('')}${end}${fields.concat(lengthOf(framing, bytes)).join('\r\n')}\r\n\r\n${sent(framing, bytes)}`;
      if (!damage) return text;
      return text.slice(0, damage.at) + damage.insert + text.slice(damage.at + damage.remove);
    });
}

function lengthOf(framing: string, body: string): string[] {
  switch (framing) {
    case 'none':
      return [];
    case 'chunked':
      return ['Transfer-Encoding: chunked'];
    case 'short':
      return [`Content-Length: ${Math.max(0, body.length - 1)}`];
    case 'long':
      return [`Content-Length: ${body.length + 1}`];
    case 'twice':
      return [`Content-Length: ${body.length}`, `Content-Length: ${body.length}`];
    case 'both':
      return [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'];
    default:
      return [`Content-Length: ${body.length}`];
  }
}

const sent = (framing: string, body: string) => {
  if (framing !== 'chunked' && framing !== 'both') return body;
  return `${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`;
};
