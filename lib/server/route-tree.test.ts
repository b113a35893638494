import { describe, expect, it } from 'vitest';
import { createRouteTree } from './route-tree';

const tree = createRouteTree<{ name: string }>();
for (const path of ['/', '/a/[id]', '/a/b/c', '/a/[id]/d', '/rest/[...all]', '/any/[[...all]]'])
  tree.addPattern(path, { name: path });
tree.addPath('/files/[id].js', { name: 'file' });

const find = (...segments: string[]) => tree.find(segments)?.name ?? null;

describe('route tree', () => {
  it('[N11] finds literal names, parameters and what follows', () => {
    expect(find()).toBe('/');
    expect(find('a', 'x')).toBe('/a/[id]');
    expect(find('a', 'b', 'c')).toBe('/a/b/c');
    expect(find('a', 'b', 'd')).toBe('/a/[id]/d');
    expect(find('rest', 'x', 'y', 'z')).toBe('/rest/[...all]');
    expect(find('files', '[id].js')).toBe('file');
  });

  it('[N11] finds nothing else', () => {
    for (const path of [['a'], ['a', 'b', 'e'], ['a', 'x', 'd', 'e'], ['rest'], ['files', 'x.js'], ['']])
      expect(find(...path), path.join('/')).toBeNull();
  });
});
