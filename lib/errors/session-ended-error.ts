/**
 * The session in which somebody acts ended while they were acting: they were signed out, banned or given another role.
 * Thrown inside the transaction of what they change, which has to be rolled back; `serve` answers it with 401
 * UNAUTHENTICATED.
 */
export class SessionEndedError extends Error {
  constructor() {
    super('the session has ended meanwhile');
    this.name = 'SessionEndedError';
  }
}
