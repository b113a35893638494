export interface EphemeralServers {
  dir: string;
  /** The maintenance database `postgres`. */
  databaseUrl: string;
  /** One more Redis server, empty and with nothing on disk. */
  addRedis(): Promise<{ url: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export function startEphemeral(): Promise<EphemeralServers>;
