/** Starts a real OpenID Connect server on this machine, with a page on which anybody signs in as whoever they name. */
export function startOpenIdServer(options: {
  port?: number;
  clientId: string;
  clientSecret: string;
  redirectUris: string[];
}): Promise<{ issuer: string; close: () => Promise<void> }>;
