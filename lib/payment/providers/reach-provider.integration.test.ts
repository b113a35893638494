import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { sqlState } from '@/lib/db/sql-state';
import { isOutage } from '@/lib/errors/is-outage';
import { ProviderSilentError, reachProvider } from './reach-provider';
import { sandbox } from './sandbox/provider';

afterEach(() => vi.restoreAllMocks());
afterAll(closeDb);

/** Asks the sandbox, and returns the failure. */
const failure = (timeoutMs?: number): Promise<unknown> =>
  reachProvider('sandbox', (provider) => provider.queryState('pay_1'), timeoutMs).catch((error) => error);

/** Its statement fails in Postgres. */
const failWith = (state: string) =>
  vi.spyOn(sandbox, 'queryState').mockImplementation(async () => {
    await db().$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${state}'; END $$`);
    return { status: 'unknown' };
  });

describe('a provider that keeps its books in our own Postgres', () => {
  it.each(['08006', '25006', '28000', '3D000', '40001', '53100', '55P03', '57014', '58030', 'XX000'])(
    '[P1 E5] fails with what is wrong with the server (%s)',
    async (state) => {
      failWith(state);
      const error = await failure();
      expect(sqlState(error)).toBe(state);
      expect(isOutage(error)).toBe(true);
    },
  );

  it('[P1 E5] fails as our server does where that gives no answer', async () => {
    vi.spyOn(sandbox, 'queryState').mockReturnValue(new Promise(() => {}));
    const error = await failure(1);
    expect(error).not.toBeInstanceOf(ProviderSilentError);
    expect(isOutage(error)).toBe(true);
  });

  it('[P1 E5] is silent like any other where the question itself is wrong', async () => {
    failWith('42P01');
    expect(await failure()).toBeInstanceOf(ProviderSilentError);
  });
});

it('[P1 E5] another company’s failure is no outage of ours', async () => {
  vi.spyOn(sandbox, 'isOurFault').mockReturnValue(false);
  vi.spyOn(sandbox, 'queryState').mockRejectedValue(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
  const error = await failure();
  expect(error).toBeInstanceOf(ProviderSilentError);
  expect(isOutage(error)).toBe(false);
});
