import { afterAll, describe, expect, it } from 'vitest';
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
  ])('[E5] %s: the data is refused', async (_name, sql, state) => {
    const error = await failure(sql);
    expect(sqlState(error)).toBe(state);
    expect(isDataError(error)).toBe(true);
  });

  it.each([
    ['a missing table', 'SELECT * FROM nowhere', '42P01'],
    ['an exception', `DO $$ BEGIN RAISE EXCEPTION 'x'; END $$`, 'P0001'],
  ])('[E5] %s: trying again may help', async (_name, sql, state) => {
    const error = await failure(sql);
    expect(sqlState(error)).toBe(state);
    expect(isDataError(error)).toBe(false);
  });

  it('[E5] other errors have none', () => {
    expect(
      [new Error('x'), null, 'text', Object.assign(new Error('x'), { code: 'P2028' })].map((e) =>
        sqlState(e),
      ),
    ).toEqual([null, null, null, null]);
  });
});
