import { afterAll, expect, it } from 'vitest';
import { isOutage } from '@/lib/errors/is-outage';
import { closeDb, db, pool } from './client';
import { keptQuery } from './kept-query';

afterAll(closeDb);

const double = (n: number) => keptQuery<{ n: number }>`SELECT ${n}::int * 2 AS n`;

it('[J1] a statement gets its values, and each connection prepares it once', async () => {
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(double));
  expect(answers.map(([row]) => row?.n)).toEqual([2, 4, 6, 8, 10, 12]);
  const client = await pool().connect();
  try {
    const { rows } = await client.query('SELECT statement FROM pg_prepared_statements');
    expect(rows).toEqual([{ statement: 'SELECT $1::int * 2 AS n' }]);
  } finally {
    client.release();
  }
});

it('[C9] connections that Postgres ends are replaced, and what was under way is an outage', async () => {
  const long = keptQuery`SELECT pg_sleep(${120})`.catch((error: unknown) => error);
  await expect
    .poll(
      () =>
        db()
          .$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND pid <> pg_backend_pid()`,
    )
    .toBe(1);
  expect(isOutage(await long)).toBe(true);
  expect(await double(21)).toEqual([{ n: 42 }]);
});
