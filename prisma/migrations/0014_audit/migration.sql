-- What was done at the desk: by whom, to what, before and after. Each entry carries the hash of the one before it.
CREATE TABLE audit_entries (
  -- Without gaps: given under the lock that keeps the chain one chain.
  id            bigint         NOT NULL PRIMARY KEY,
  at            timestamptz(3) NOT NULL,
  actor_id      text           NOT NULL,
  actor_role    text           NOT NULL,
  action        text           NOT NULL,
  subject_kind  text           NOT NULL,
  subject_id    text           NOT NULL,
  before        jsonb,
  after         jsonb,
  reason        text,
  previous_hash char(64)       NOT NULL,
  hash          char(64)       NOT NULL
);
CREATE UNIQUE INDEX audit_entries_hash_key ON audit_entries (hash);
CREATE INDEX audit_entries_subject_idx ON audit_entries (subject_kind, subject_id, id);
CREATE INDEX audit_entries_actor_idx ON audit_entries (actor_id, id);
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Support sees orders and reasons, auditors see everything; neither changes anything.
ALTER TABLE users
  DROP CONSTRAINT users_role_check,
  ADD CONSTRAINT users_role_check
    CHECK (role IN ('shopper', 'merchant', 'support', 'auditor', 'operator', 'admin'));
