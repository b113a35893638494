import { env } from '@/lib/env';
import { isSameText } from '@/lib/purpose-keys';

/** Builds the `Authorization` with which one of our processes asks another. */
export const internalAuthorization = (): string => authorizationWith(env().internalSecrets[0]);

/** Tells whether one of our processes asks, whichever of the live secrets it was started with. */
export const isInternal = (authorization: string): boolean =>
  env().internalSecrets.some((secret) => isSameText(authorization, authorizationWith(secret)));

const authorizationWith = (secret: string): string => `Bearer ${secret}`;
