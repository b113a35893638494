import { expect } from '@playwright/test';
import { z } from 'zod';
import { type Answer, Client } from './client';

type Content = Record<string, { schema: Record<string, unknown> }>;

/** The fields of an operation in `/api/openapi.json` that the tests need. */
export type Documented = {
  method: string;
  path: string;
  operationId: string;
  security: Record<string, unknown>[];
  'x-roles'?: string[];
  responses: Record<string, { content: Content }>;
};

type Document = {
  paths: Record<string, Record<string, Omit<Documented, 'method' | 'path'>>>;
  components: { schemas: Record<string, unknown> };
};

let fetched: Promise<Document> | undefined;

function fetchDocument(): Promise<Document> {
  fetched ??= new Client().get('/api/openapi.json').then((answer) => {
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    return answer.body as unknown as Document;
  });
  return fetched;
}

/** Returns every operation the running product documents. */
export async function documentedOperations(): Promise<Documented[]> {
  return Object.entries((await fetchDocument()).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Expects that the answer's status is documented, and that its body has all documented fields and no others. */
export async function expectDocumented(operation: Documented, answer: Answer): Promise<void> {
  const where = `${operation.operationId} answered ${answer.status}: ${answer.text.slice(0, 1000)}`;
  const content = operation.responses[answer.status]?.content;
  expect(content, `${where}\nThis status is not documented.`).toBeDefined();
  const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';');
  const schema = content?.[mediaType]?.schema;
  expect(schema, `${where}\n${mediaType} is not documented.`).toBeDefined();
  if (!schema || !mediaType.endsWith('json')) return;
  const { components } = await fetchDocument();
  const text = JSON.stringify({ ...schema, $defs: components.schemas });
  const read = z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  const { error } = read.safeParse(JSON.parse(answer.text));
  expect(error && z.prettifyError(error), where).toBeUndefined();
}

/** Calls an operation with invented ids: for refusals that come before the server looks at them. */
export function askAnyhow(
  client: Client,
  { method, path }: Documented,
  isSameOrigin = true,
): Promise<Answer> {
  return client.request(method, path.replaceAll(/\{\w+\}/g, '1'), { isSameOrigin });
}
