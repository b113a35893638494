import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AREAS, idOf } from '@/lib/contract/areas';
import { purchaseSchema } from '@/lib/contract/operations/shop';
import { MAX_QUANTITY } from '@/lib/contract/words/purchase';
import { ERROR_CODES } from '@/lib/errors/codes';
import { parseWish } from '@/lib/purchase/parse-wish';
import { apiDocument, type DocumentedOperation, listOperations } from './document';

const document = apiDocument();
const operations = listOperations();

describe('[L3] the documentation of the interface', () => {
  it('tells of purchases what the hand-written reading of their body takes', () => {
    for (const quantity of [1, 2, MAX_QUANTITY, MAX_QUANTITY + 1, 0, -1, 1.5, '1', null, undefined]) {
      const isTaken = parseWish(JSON.stringify({ quantity })).status === 'ok';
      expect(purchaseSchema.safeParse({ quantity }).success, String(quantity)).toBe(isTaken);
    }
  });
});

describe('[N8] what is sent along that nobody asked for', () => {
  const bodies = AREAS.flatMap((area) => area.operations).flatMap((one) =>
    one.body ? [{ id: idOf(one), body: one.body }] : [],
  );
  /** Operations that keep their body as it came, as evidence: its signature was checked before. */
  const KEPT_WHOLE = ['receivePayment'];

  it.each(bodies.filter(({ id }) => !KEPT_WHOLE.includes(id)))(
    '$id leaves it out or refuses it',
    ({ body }) => {
      const open: string[] = [];
      const look = (schema: unknown, path: string) => {
        if (schema === null || typeof schema !== 'object') return;
        const { type, properties, additionalProperties: more } = schema as Record<string, unknown>;
        // An object with free names, such as a product's attributes, only says what its values may be.
        if (type === 'object' && (properties ? more !== false : JSON.stringify(more ?? {}) === '{}'))
          open.push(path);
        for (const [name, inner] of Object.entries(schema)) look(inner, `${path}/${name}`);
      };
      look(z.toJSONSchema(body, { io: 'output', unrepresentable: 'any' }), '');
      expect(open).toEqual([]);
    },
  );

  it('is looked for in every operation that takes a body', () => {
    expect(bodies.length).toBeGreaterThan(30);
  });
});

describe('[L3] the document as OpenAPI 3.1', () => {
  it('names every operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(50);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it('refers to what is there, and keeps nothing that nobody refers to', () => {
    const text = JSON.stringify(document);
    const used = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref = '']) => ref);
    const { schemas } = document.components;
    for (const ref of used) expect(Object.keys(schemas)).toContain(ref.replace('#/components/schemas/', ''));
    for (const name of Object.keys(schemas)) expect(used).toContain(`#/components/schemas/${name}`);
    expect(text).not.toContain('$defs');
    for (const name of Object.keys(schemas)) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
  });

  it.each(operations)('$operation.operationId is complete', ({ path, method, operation }) => {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name, required }) => (required ? `{${name}}` : name))).toEqual(
      path.match(/\{\w+\}/g) ?? [],
    );
    const names = operation.parameters.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(['get', 'post', 'put', 'patch', 'delete']).toContain(method);
    if (method === 'get') expect(operation.requestBody).toBeUndefined();
    expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
    for (const scheme of operation.security.flatMap(Object.keys))
      expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
    expect(operation.description).toMatch(/[.?]$/);
    expectAnswers(operation);
  });

  it.each(Object.entries(document.components.schemas))(
    '%s is a schema that can be read back',
    (_name, schema) => {
      const defs = { ...schema, $defs: document.components.schemas };
      const text = JSON.stringify(defs).replaceAll('#/components/schemas/', '#/$defs/');
      expect(() => z.fromJSONSchema(JSON.parse(text))).not.toThrow();
    },
  );
});

function expectAnswers({ responses }: DocumentedOperation): void {
  expect(Object.keys(responses).some((status) => /^[23]\d\d$/.test(status))).toBe(true);
  for (const [status, { description, content }] of Object.entries(responses)) {
    expect(description).not.toBe('');
    const schema = content['application/problem+json']?.schema;
    if (!schema) continue;
    const [, own] = schema.allOf as [
      unknown,
      { properties: { code: { enum: (keyof typeof ERROR_CODES)[] } } },
    ];
    for (const code of own.properties.code.enum) expect(String(ERROR_CODES[code].status)).toBe(status);
  }
}
