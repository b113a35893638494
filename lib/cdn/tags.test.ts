import { describe, expect, it } from 'vitest';
import { tagsOfPage, tagsOfSales } from './tags';

describe('tags', () => {
  it('[K3] every page that shows a sale has a tag that is purged with it', () => {
    const purged = tagsOfSales(['lamp']);
    for (const page of [
      '/',
      '/zh-CN',
      '/sales/lamp',
      '/zh-CN/sales/lamp',
      '/?x=1',
      '/campaigns/lamps',
      '/zh-CN/info/terms',
      '/sales/lamp?_rsc=1',
    ])
      for (const tag of tagsOfPage(page)) expect(purged, page).toContain(tag);
    expect(tagsOfPage('/sales/lamp')).toEqual(['sale-lamp']);
    expect(tagsOfPage('/zh-CN')).toEqual(['sales']);
  });

  it('[K3] other pages have none, nor has an address that is no slug: a list of tags would be read differently', () => {
    for (const page of [
      '/orders',
      '/zh-CNX',
      '/sales/',
      '/sales/a,sales',
      '/sales/a%20sales',
      '/sales/a/b',
      'x',
    ])
      expect(tagsOfPage(page), page).toEqual([]);
    expect(tagsOfPage(`/sales/${'x'.repeat(201)}`)).toEqual([]);
  });
});
