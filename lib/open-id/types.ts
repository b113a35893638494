/** A server that signs people in, and what it knows us by (`OIDC_…`). */
export type OpenIdSettings = { issuer: string; clientId: string; clientSecret: string; name: string };

/** Who somebody is, as a server says that we trust. */
export type Identity = {
  issuer: string;
  /** The server's own id of the person; it never means another one. */
  subject: string;
  /** In small letters; null: the server tells none. */
  email: string | null;
  /** The server says that mail to this address reaches the person. */
  isEmailVerified: boolean;
  name: string | null;
};

/**
 * Why a server's answer brings nobody in. `away`: it can't be reached, or can't answer now. `failed`: what it says
 * doesn't hold, or is not what was asked for.
 */
export type OpenIdTrouble = 'away' | 'failed';

export class OpenIdError extends Error {
  constructor(
    readonly trouble: OpenIdTrouble,
    message: string,
  ) {
    super(message);
    this.name = 'OpenIdError';
  }
}
