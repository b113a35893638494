import { afterAll, describe, expect, it } from 'vitest';
import { isOutage } from '@/lib/errors/is-outage';
import { closeDb, db } from './client';
import { isDataError, sqlState } from './sql-state';

afterAll(closeDb);

const failure = async (sql: string): Promise<unknown> => {
  try {
    await db().$executeRawUnsafe(sql);
  } catch (error) {
    return error;
  }
  throw new Error('should have failed');
};

const raise = (state: string) => `DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${state}'; END $$`;

describe('sqlState', () => {
  it.each([
    ['unique', `INSERT INTO processed_messages VALUES ('a', 'b', now()), ('a', 'b', now())`, '23505'],
    [
      'foreign key',
      `INSERT INTO products (id, merchant_id, slug, name, description) VALUES ('p', 'x', 's', 'n', 'd')`,
      '23503',
    ],
    [
      'check',
      `INSERT INTO users (id, email, name, password_hash, role) VALUES ('u', 'u@x', 'n', '!', 'king')`,
      '23514',
    ],
    ['not null', `INSERT INTO processed_messages VALUES ('a', NULL, now())`, '23502'],
    ['out of range', `SELECT 2147483647 + 1`, '22003'],
    ["a trigger's exception", raise('P0001'), 'P0001'],
    ['the check of a view', raise('44000'), '44000'],
  ])('[E5] %s: the data is refused', async (_name, sql, state) => {
    const error = await failure(sql);
    expect(sqlState(error)).toBe(state);
    expect(isDataError(error)).toBe(true);
    expect(isOutage(error)).toBe(false);
  });

  it.each([
    ['a read-only server', 'BEGIN READ ONLY; DELETE FROM users; COMMIT', '25006'],
    ['a statement that takes too long', `SET statement_timeout = 20; SELECT pg_sleep(9)`, '57014'],
    ['a lost connection', raise('08006'), '08006'],
    ['a refused login', raise('28000'), '28000'],
    ['a wrong password', raise('28P01'), '28P01'],
    ['an unknown database', raise('3D000'), '3D000'],
    ['a failed serialization', raise('40001'), '40001'],
    ['a deadlock', raise('40P01'), '40P01'],
    ['a full disk', raise('53100'), '53100'],
    ['too many connections', raise('53300'), '53300'],
    ['a lock that is not free in time', raise('55P03'), '55P03'],
    ['a disk that fails', raise('58030'), '58030'],
    ['a fault of its own', raise('XX000'), 'XX000'],
  ])('[E5 J4] %s: the server is to blame', async (_name, sql, state) => {
    const error = await failure(sql);
    expect(sqlState(error)).toBe(state);
    expect(isDataError(error)).toBe(false);
    expect(isOutage(error)).toBe(true);
  });

  it('[E5 J4] a missing table is our fault: neither of both', async () => {
    const error = await failure('SELECT * FROM nowhere');
    expect(sqlState(error)).toBe('42P01');
    expect([isDataError(error), isOutage(error)]).toEqual([false, false]);
  });

  it('[E5] other errors have none', () => {
    expect(
      [new Error('x'), null, 'text', Object.assign(new Error('x'), { code: 'P2028' })].map((e) =>
        sqlState(e),
      ),
    ).toEqual([null, null, null, null]);
  });
});
