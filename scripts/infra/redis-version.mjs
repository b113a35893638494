/** The oldest tested version; the product uses commands of 6.2. Valkey counts from Redis 7.2. */
const OLDEST_REDIS = 7;

/**
 * @param {string | undefined} version such as 7.0.15
 * @returns {string | undefined} what is wrong with it; undefined where the version is unknown
 */
export function redisVersionProblem(version) {
  const major = Number(version?.split('.')[0]);
  return major < OLDEST_REDIS
    ? `it is version ${version}, and ${OLDEST_REDIS}.0 is the oldest that will do`
    : undefined;
}
