-- Accounts whose password the whole world knows: outside the demo nobody gets in by them. Here those that the demo has made
-- so far are marked; example.com is nobody's, so no account of anybody else is among them.
ALTER TABLE users ADD COLUMN is_demo boolean NOT NULL DEFAULT false;
UPDATE users SET is_demo = true WHERE email IN (
  'shopper1@example.com', 'shopper2@example.com', 'shopper3@example.com', 'shopper4@example.com', 'shopper5@example.com',
  'merchant@example.com', 'support@example.com', 'auditor@example.com', 'admin@example.com');

-- The inbox that mail to an address reaches, as far as its spelling tells: what follows a plus is left out, and the dots
-- that Google leaves out. As lib/account/inbox-of.ts has it; a test compares the two.
CREATE FUNCTION inbox_of(email text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN host IN ('gmail.com', 'googlemail.com') THEN replace(box, '.', '') || '@gmail.com'
    ELSE box || '@' || host
  END
  FROM (SELECT split_part(regexp_replace(lower(email), '@[^@]*$', ''), '+', 1) AS box,
               regexp_replace(lower(email), '^.*@', '') AS host) AS parts
$$;

-- One inbox verifies one account. Where it has verified several so far, the first one keeps that.
UPDATE users SET email_verified_at = NULL
WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY inbox_of(email) ORDER BY email_verified_at, id) AS nr
                             FROM users WHERE email_verified_at IS NOT NULL) AS verified
             WHERE nr > 1);
CREATE UNIQUE INDEX users_one_verified_per_inbox_idx ON users (inbox_of(email)) WHERE email_verified_at IS NOT NULL;
