import { describe, expect, it, vi } from 'vitest';
import { isOutage } from './is-outage';
import { OutageError } from './outage-error';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('isOutage', () => {
  it('[J4] knows unreachable servers, also as the cause of something else', () => {
    expect(isOutage(withCode('ECONNREFUSED'))).toBe(true);
    expect(isOutage(new Error('query failed', { cause: withCode('57P01') }))).toBe(true);
    expect(isOutage(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true);
    expect(isOutage(new Error('LOADING Redis is loading the dataset in memory'))).toBe(true);
    expect(isOutage(new Error("OOM command not allowed when used memory > 'maxmemory'."))).toBe(true);
  });

  it('[J4] finds what Postgres said in what Prisma makes of it', () => {
    const said = (originalCode: string) =>
      Object.assign(new Error('Database error'), {
        code: 'P2039',
        meta: {
          driverAdapterError: { name: 'DriverAdapterError', cause: { originalCode, kind: 'postgres' } },
        },
      });
    expect(isOutage(said('57P03'))).toBe(true);
    expect(isOutage(said('57P01'))).toBe(true);
    expect(isOutage(said('23505'))).toBe(false);
    const closed = { name: 'DriverAdapterError', cause: { kind: 'ConnectionClosed' } };
    expect(
      isOutage(Object.assign(new Error('Raw query failed'), { meta: { driverAdapterError: closed } })),
    ).toBe(true);
    expect(isOutage(new Error('ConnectionClosed', { cause: { kind: 'ConnectionClosed' } }))).toBe(true);
    expect(isOutage(new Error('x', { cause: { kind: 'UniqueConstraintViolation' } }))).toBe(false);
    expect(isOutage(new Error('Client has encountered a connection error and is not queryable'))).toBe(true);
  });

  it('[J4 K4] knows what a pooler says when Postgres is away: all of it with the code of a broken protocol', () => {
    const refused = (message: string) => Object.assign(new Error(message), { code: '08P01' });
    for (const message of [
      'server login has been failing, try again later (server_login_retry)',
      'query_wait_timeout',
      'server conn crashed?',
      'pgbouncer cannot connect to server',
      'no more connections allowed (max_client_conn)',
    ])
      expect(isOutage(refused(message))).toBe(true);
    expect(isOutage(refused('invalid message format'))).toBe(false);
  });

  it('[J4] knows what we throw ourselves by its class, whatever its name, and whichever copy of the class it is', async () => {
    class NotNowError extends OutageError {
      override name = 'NotNowError';
    }
    expect(isOutage(new NotNowError('x'))).toBe(true);
    expect(isOutage(new Error('x', { cause: new NotNowError('y') }))).toBe(true);
    expect(isOutage(Object.assign(new Error('x'), { name: 'OutageError' }))).toBe(false);
    vi.resetModules();
    const copy = await import('./outage-error');
    expect(copy.OutageError).not.toBe(OutageError);
    expect(isOutage(new copy.OutageError('x'))).toBe(true);
  });

  it('[J4] knows what Redis answers by its first word alone', () => {
    expect(isOutage(new Error('MASTERDOWN whatever it says'))).toBe(true);
    expect(isOutage(new Error('BUSY Redis is busy running a script'))).toBe(true);
    expect(isOutage(new Error('NOAUTH Authentication required.'))).toBe(true);
    expect(isOutage(new Error('ERR the server is LOADING '))).toBe(false);
  });

  it('[J4] does not excuse bugs', () => {
    expect(isOutage(new TypeError('x is not a function'))).toBe(false);
    expect(isOutage(withCode('23505'))).toBe(false);
    expect(isOutage('ECONNREFUSED')).toBe(false);
    expect(isOutage(undefined)).toBe(false);
  });

  it('[J4] is not led in circles', () => {
    const error = new Error('x');
    error.cause = error;
    expect(isOutage(error)).toBe(false);
  });
});
