import { isOutage } from './is-outage';

/** Returns the result of `reading`, or `instead` while Redis or Postgres can't be reached. @throws any other error */
export const unlessOutage = <T, I>(reading: Promise<T>, instead: I): Promise<T | I> =>
  reading.catch((error: unknown) => {
    if (!isOutage(error)) throw error;
    return instead;
  });
