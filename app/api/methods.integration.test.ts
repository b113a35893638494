import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AREAS, idOf } from '@/lib/contract/areas';
import type { Operation } from '@/lib/contract/operation';

/** Routes that serve no operation. */
const LEFT_OUT: Record<string, string> = {
  'livez/route.ts': 'prerendered, and answered from memory; it answers any method the same',
  'api/[[...rest]]/route.ts': 'answers 404 to everything',
  'api/auth/[...nextauth]/route.ts': "next-auth's; the chapter on accounts names the two calls that sign in",
  'api/inngest/route.ts': 'the protocol between executor and functions',
  'api/internal/revalidate/route.ts': 'between our own processes, with their secret',
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const app = join(import.meta.dirname, '..');
const routes = readdirSync(app, { recursive: true, encoding: 'utf8' })
  // Leaves out `livez`, which is prerendered and answered from memory, and the catch-all, which answers every method
  // alike.
  .filter((file) => file.endsWith('route.ts') && !/^livez|\[\[\.\.\.rest\]\]/.test(file))
  .sort();

type Handle = ((request: Request, context: unknown) => Promise<Response>) & { operation?: Operation };
type Handlers = Record<string, Handle | undefined>;

describe('every interface', () => {
  it('[L3] is found', () => {
    expect(routes.length).toBeGreaterThan(20);
  });

  it.each(routes)('[L3] %s refuses the methods it does not serve with 405 and Allow', async (file) => {
    const handlers = (await import(join(app, file))) as Handlers;
    const options = await handlers.OPTIONS?.(new Request('http://shop.test/'), {});
    expect(options?.status).toBe(204);
    const allow = options?.headers.get('allow') ?? '';
    const served = allow.split(', ');
    expect(served.length).toBeGreaterThan(1);
    expect(served.includes('HEAD')).toBe(served.includes('GET'));
    for (const method of METHODS) {
      // Next derives HEAD from GET where a route has no HEAD of its own.
      if (method === 'HEAD' && served.includes('GET')) continue;
      expect(handlers[method], method).toBeTypeOf('function');
      if (served.includes(method)) continue;
      const answer = await handlers[method]?.(new Request('http://shop.test/'), {});
      expect(answer?.status, method).toBe(405);
      expect(answer?.headers.get('allow')).toBe(allow);
      expect(await answer?.json()).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    }
  });

  it('[L3] serves operations of the contract at their address, and every one of them is served', async () => {
    const served: Operation[] = [];
    for (const file of routes.filter((each) => !(each in LEFT_OUT))) {
      const handlers = (await import(join(app, file))) as Handlers;
      const own = METHODS.filter((method) => method !== 'HEAD').flatMap(
        (method) => handlers[method]?.operation ?? [],
      );
      expect(own.length, `${file} serves nothing of the contract`).toBeGreaterThan(0);
      const path = `/${file
        .replace(/\/route\.ts$/, '')
        .replaceAll('[', '{')
        .replaceAll(']', '}')}`;
      for (const operation of own) expect(operation.path).toBe(path);
      served.push(...own);
    }
    const operations = AREAS.flatMap((area) => area.operations).filter(({ path }) => path !== '/livez');
    const ids = (all: readonly Operation[]) => all.map(idOf).sort();
    expect(ids(served), 'Each operation belongs into its area in lib/contract/operations/').toEqual(
      ids(operations),
    );
  });

  it('[L3] leaves out no route that has gone', () => {
    for (const file of Object.keys(LEFT_OUT)) expect(existsSync(join(app, file)), file).toBe(true);
  });
});
