-- A merchant is a shop with members (decision 128). A shop has the id of the account that opened it, so `merchant_id` of
-- a sale, product or campaign names the shop as well: the release before goes by the same column.
CREATE TABLE shops (
  id         text           NOT NULL PRIMARY KEY,
  name       text           NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  version    integer        NOT NULL DEFAULT 1 CHECK (version >= 1),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT shops_id_fkey FOREIGN KEY (id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE TABLE shop_members (
  shop_id    text           NOT NULL,
  user_id    text           NOT NULL,
  role       text           NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  -- What an editor may do; it means nothing for the others.
  topics     text[]         DEFAULT ARRAY['refunds', 'stock', 'settings']
    CHECK (topics <@ ARRAY['refunds', 'stock', 'settings']),
  -- User id.
  added_by   text           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (shop_id, user_id),
  CONSTRAINT shop_members_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shops (id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT shop_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX shop_members_user_id_idx ON shop_members (user_id);

-- Opens the shop of an account, once, with the account as its owner. The argument is the column that names the account.
-- A merchant who is a member of another shop already opens none.
CREATE FUNCTION open_shop() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  opener text := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
  IF EXISTS (SELECT 1 FROM shops WHERE id = opener)
     OR TG_TABLE_NAME = 'users' AND EXISTS (SELECT 1 FROM shop_members WHERE user_id = opener) THEN
    RETURN NULL;
  END IF;
  WITH opened AS (
    INSERT INTO shops (id, name)
    SELECT id, left(coalesce(nullif(trim(name), ''), 'Shop'), 100) FROM users WHERE id = opener
    ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO shop_members (shop_id, user_id, role, added_by) SELECT id, id, 'owner', id FROM opened;
  RETURN NULL;
END $$;
-- Triggers, because the release before makes merchants, products and campaigns, too, and knows no shops.
CREATE TRIGGER users_open_shop AFTER INSERT OR UPDATE OF role ON users
  FOR EACH ROW WHEN (NEW.role = 'merchant') EXECUTE FUNCTION open_shop('id');
CREATE TRIGGER products_open_shop AFTER INSERT ON products FOR EACH ROW EXECUTE FUNCTION open_shop('merchant_id');
CREATE TRIGGER campaigns_open_shop AFTER INSERT ON campaigns FOR EACH ROW EXECUTE FUNCTION open_shop('merchant_id');

-- Safe beside the last release: it fills new tables, one row per merchant, and locks no row of another one against changes.
INSERT INTO shops (id, name)
SELECT id, left(coalesce(nullif(trim(name), ''), 'Shop'), 100) FROM users WHERE id IN (
  SELECT id FROM users WHERE role = 'merchant' AND deleted_at IS NULL
  UNION SELECT merchant_id FROM products UNION SELECT merchant_id FROM sales UNION SELECT merchant_id FROM campaigns);
-- Safe beside the last release: it fills a new table, one row per shop. Deleted accounts are members of nothing.
INSERT INTO shop_members (shop_id, user_id, role, added_by)
SELECT s.id, s.id, 'owner', s.id FROM shops s JOIN users u ON u.id = s.id WHERE u.deleted_at IS NULL;

-- An invitation into a shop. The release before doesn't find it: its token is hashed in another way.
ALTER TABLE invitations
  ADD COLUMN shop_id text,
  ADD COLUMN shop_role text,
  ADD COLUMN topics text[] DEFAULT ARRAY[]::text[],
  ADD CONSTRAINT invitations_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shops (id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT invitations_shop_role_check CHECK (shop_role IN ('owner', 'editor', 'viewer')),
  ADD CONSTRAINT invitations_shop_check
    CHECK ((shop_id IS NULL) = (shop_role IS NULL) AND (shop_id IS NULL OR role = 'merchant')),
  ADD CONSTRAINT invitations_topics_check CHECK (topics <@ ARRAY['refunds', 'stock', 'settings']);
-- One open invitation per address and shop: no shop withdraws what another one, or an admin, has sent.
DROP INDEX invitations_one_open_idx;
CREATE UNIQUE INDEX invitations_one_open_idx ON invitations (email, COALESCE(shop_id, ''))
  WHERE used_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX invitations_shop_id_created_at_idx ON invitations (shop_id, created_at);
