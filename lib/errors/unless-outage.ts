import { isOutage } from './is-outage';

/** What `reading` gives, or `instead` while Redis or Postgres can't be reached. @throws whatever else goes wrong */
export const unlessOutage = <T, I>(reading: Promise<T>, instead: I): Promise<T | I> =>
  reading.catch((error: unknown) => {
    if (!isOutage(error)) throw error;
    return instead;
  });
