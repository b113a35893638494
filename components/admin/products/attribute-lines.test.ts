import { describe, expect, it } from 'vitest';
import { readAttributeLines, toAttributeLines } from './attribute-lines';

describe('[O1] the attributes of a product', () => {
  it('are lines of a name and a value, which come back as they were', () => {
    const attributes = { Material: 'paper', 'Care: how': 'dry', 尺寸: '30 × 40' };
    expect(readAttributeLines('Material: paper\n\n 尺寸：30 × 40 \nSource:https://a.example/b')).toEqual({
      Material: 'paper',
      尺寸: '30 × 40',
      Source: 'https://a.example/b',
    });
    const { 'Care: how': _, ...plain } = attributes;
    expect(readAttributeLines(toAttributeLines(plain))).toEqual(plain);
    expect(readAttributeLines('')).toEqual({});
  });

  it.each([
    ['no colon', 'Material paper'],
    ['no name', ': paper'],
    ['no value', 'Material: '],
    ['a name twice', 'Material: paper\nMaterial : wood'],
    ['a name too long', `${'n'.repeat(61)}: x`],
    ['a value too long', `n: ${'x'.repeat(501)}`],
    ['too many', Array.from({ length: 31 }, (_, at) => `n${at}: x`).join('\n')],
  ])('are refused with %s', (_, text) => {
    expect(readAttributeLines(text)).toBeNull();
  });
});
