import { describe, expect, it } from 'vitest';
import { prefixFragment, prefixPage } from './asset-prefix';

const CDN = 'https://static.example.com';

describe('scripts from another name', () => {
  it('[K3] a page takes all its scripts and styles from there, and says so before the first of them', () => {
    const html =
      '<html><head><link rel="stylesheet" href="/_next/static/chunks/a.css"/><script src="/_next/static/chunks/b.js" async=""></script></head><script>self.__next_f.push([1,"2:\\"/_next/static/chunks/b.js\\"\\n"])</script></html>';
    const made = prefixPage(html, CDN);
    expect(made.match(/https:\/\/static\.example\.com\/_next\/static\/chunks/g)).toHaveLength(3);
    expect(made).not.toMatch(/["']\/_next\/static/);
    expect(made.indexOf('TURBOPACK_CHUNK_BASE_PATH')).toBeLessThan(made.indexOf('<link'));
    expect(made).toContain(`("${CDN}/_next/")</script>`);
  });

  it('[K3] what somebody wrote about such addresses stays as it is, on a page and in a fragment', () => {
    const html =
      '<html><head></head><p>&quot;/_next/static/x.js&quot;</p><script src="/_next/static/b.js"></script></html>';
    expect(prefixPage(html, CDN)).toBe(html);
    const text = 'ü "/_next/static/x.js"';
    const row = `5:T${Buffer.byteLength(text).toString(16)},${text}`;
    const fragment = Buffer.from(`1:"$Sreact.fragment"\n2:"/_next/static/chunks/b.js"\n${row}6:"x"\n`);
    expect(prefixFragment(fragment, CDN)).toBe(fragment);
    const other = Buffer.from(`2:"/_next/static/chunks/b.js"\n5:T3,ü!6:"/_next/static/chunks/c.js"\n`);
    expect(prefixFragment(other, CDN).toString()).toBe(
      `2:"${CDN}/_next/static/chunks/b.js"\n5:T3,ü!6:"${CDN}/_next/static/chunks/c.js"\n`,
    );
  });

  it('[K3] a page without a head, as an error may be, stays as it is', () => {
    expect(prefixPage('<p>"/_next/static/x.js"</p>', CDN)).toBe('<p>"/_next/static/x.js"</p>');
  });
});
