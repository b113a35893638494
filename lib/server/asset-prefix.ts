/**
 * Scripts and styles may come from another name of the shop. Pages are written for it when they are made, not when the
 * shop is built: one build serves every shop. Turbopack's runtime asks a global for the address of its files.
 */
const STATIC = /(?<=["'])\/_next\/static\//g;
const BASE = '/_next/';
const HEAD = '<head>';
/** Such an address in people's own words, as text or in an attribute. */
const IN_WORDS = /(?:&quot;|&#x27;)\/_next\/static\//;
/** A row of a fragment that is bare text of so many bytes, in hexadecimal. */
const TEXT_ROW = /(?:^|\n)[0-9a-f]+:T([0-9a-f]+),/g;

/**
 * Returns a page that takes its scripts and styles from another origin. A page whose words speak of such an address
 * stays as it is: React compares the words with what it was sent.
 */
export function prefixPage(html: string, origin: string): string {
  if (!html.includes(HEAD) || IN_WORDS.test(html)) return html;
  return html.replace(HEAD, `${HEAD}<script>${introduction(origin)}</script>`).replace(STATIC, `${origin}$&`);
}

/** Does the same to a fragment, which is no HTML: its texts come with their lengths, which must stay right. */
export function prefixFragment(body: Buffer, origin: string): Buffer {
  const bytes = body.toString('latin1');
  for (const { 0: row, 1: length = '0', index } of bytes.matchAll(TEXT_ROW)) {
    const from = index + row.length;
    if (bytes.slice(from, from + Number.parseInt(length, 16)).includes('/_next/static/')) return body;
  }
  return Buffer.from(bytes.replace(STATIC, `${origin}$&`), 'latin1');
}

/**
 * Returns the script that comes before all others. Browsers start a worker only from the page's own origin, so it
 * takes its files from there.
 */
const introduction = (origin: string): string =>
  `(b=>{self.TURBOPACK_CHUNK_BASE_PATH=b;const W=Worker,e=encodeURIComponent;self.Worker=class extends W{constructor(u,o){super(String(u).replaceAll(b,"${BASE}").replaceAll(e(b),e("${BASE}")),o)}}})(${JSON.stringify(`${origin}${BASE}`)})`;
