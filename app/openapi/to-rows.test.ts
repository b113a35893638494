import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toRows } from './to-rows';
import { type Components, toSchema } from './to-schema';

const rowsOf = (schema: z.ZodType, io: 'input' | 'output' = 'output') => {
  const components: Components = {};
  return toRows(toSchema(schema, io, components)).map(({ name, type, isRequired, notes }) =>
    [isRequired ? name : `${name}?`, type, ...notes].join(' | '),
  );
};

describe('[L3] a schema as a table', () => {
  it('has a line for each field, nested ones by their path', () => {
    const item = z.object({ a: z.string().min(1).max(3), b: z.int().nullable() });
    expect(rowsOf(z.object({ item: item.optional(), list: z.array(item) }))).toEqual([
      'item? | object',
      'item.a | string | 1–3 characters',
      'item.b | integer or null',
      'list | array of object',
      'list[].a | string | 1–3 characters',
      'list[].b | integer or null',
    ]);
  });

  it('names objects that have a name, also where they may be null', () => {
    const named = z.object({ a: z.string() }).meta({ id: 'RowsTestNamed' });
    expect(rowsOf(z.object({ one: named, two: named.nullable(), many: z.array(named) }))).toEqual([
      'one | RowsTestNamed',
      'two | RowsTestNamed or null',
      'many | array of RowsTestNamed',
    ]);
  });

  it('tells variants apart by their constant', () => {
    const action = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('block'), forSec: z.int() }),
      z.object({ kind: z.literal('flag') }),
    ]);
    expect(rowsOf(z.object({ action }))).toEqual([
      'action | one of 2',
      'action (block).kind | "block"',
      'action (block).forSec | integer',
      'action (flag).kind | "flag"',
    ]);
  });

  it('says bounds, defaults, patterns and the first of many values', () => {
    const many = z.enum(Array.from({ length: 20 }, (_, at) => `v${at}`));
    const given = z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      slug: z
        .string()
        .regex(/^[a-z]+$/)
        .describe('Lower case.'),
      many,
      map: z.record(z.string(), z.string()),
      any: z.unknown(),
    });
    expect(rowsOf(given, 'input')).toEqual([
      'limit? | integer | 1–100 | default 20',
      'slug | string | Lower case. | pattern ^[a-z]+$',
      expect.stringMatching(/^many \| "v0", .* and 8 more$/),
      'map | map of names to string',
      'any | anything',
    ]);
  });
});
