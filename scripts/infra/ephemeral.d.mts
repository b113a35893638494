export const REDIS_DATABASES: number;

export interface EphemeralServers {
  dir: string;
  /** The maintenance database `postgres`. */
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

export function startEphemeral(say?: (line: string) => void): Promise<EphemeralServers>;
