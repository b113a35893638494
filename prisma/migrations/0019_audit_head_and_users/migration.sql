-- Where the chain ends. Whoever records locks this row, so that the chain stays one chain; and entries taken off its end
-- are missed, which the chain alone would not show.
CREATE TABLE audit_head (
  is_only boolean  NOT NULL PRIMARY KEY DEFAULT true CHECK (is_only),
  id      bigint   NOT NULL,
  hash    char(64) NOT NULL
);
INSERT INTO audit_head (id, hash)
  SELECT id, hash FROM ((SELECT id, hash FROM audit_entries ORDER BY id DESC LIMIT 1)
                        UNION ALL SELECT 0, repeat('0', 64)) AS ends
  ORDER BY id DESC LIMIT 1;
CREATE TRIGGER audit_head_stays BEFORE DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Whoever looks for a subject has its id, not always its kind; ids carry theirs.
DROP INDEX audit_entries_subject_idx;
CREATE INDEX audit_entries_subject_idx ON audit_entries (subject_id, id);
CREATE INDEX audit_entries_at_idx ON audit_entries (at);

-- The desk looks for accounts by how their address begins, and by role.
CREATE INDEX users_email_prefix_idx ON users (email text_pattern_ops);
CREATE INDEX users_role_idx ON users (role, id);
