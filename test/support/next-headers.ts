import { AsyncLocalStorage } from 'node:async_hooks';

/** Replaces Next's module of this name, which knows a request's cookies only inside a running Next. */
const jar = new AsyncLocalStorage<Map<string, string>>();

export const cookies = async () => ({
  get: (name: string) => {
    const value = jar.getStore()?.get(name);
    return value === undefined ? undefined : { name, value };
  },
});

/** Runs `work` as a request with these cookies. */
export const withCookies = <T>(sent: Map<string, string>, work: () => Promise<T>): Promise<T> =>
  jar.run(sent, work);
