import { type PurgeAdapter, retryAfterMs } from './adapter';

/** Any other CDN, through a hook of the operator's: `POST url {paths}`; any 2xx means success. */
export const ownHook = (url: string): PurgeAdapter => ({
  requests: ({ paths }) => [{ url, headers: {}, body: { paths } }],
  refusalIn: () => null,
  waitMsOf: retryAfterMs,
});
