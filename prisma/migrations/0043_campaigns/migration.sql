-- Sales grouped under one address (decision 075): one limit per person over all of them.
CREATE TABLE campaigns (
  id             text           NOT NULL PRIMARY KEY,
  slug           text           NOT NULL CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(slug) <= 80),
  title          text           NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  description    text           NOT NULL DEFAULT '' CHECK (length(description) <= 10000),
  merchant_id    text           NOT NULL,
  -- Units that one person may have over all its sales; NULL: each sale's own limit is all there is.
  limit_per_user integer        CHECK (limit_per_user BETWEEN 1 AND 1000),
  status         text           NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'archived')),
  version        integer        NOT NULL DEFAULT 1 CHECK (version >= 1),
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT campaigns_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE UNIQUE INDEX campaigns_slug_key ON campaigns (slug);
CREATE INDEX campaigns_merchant_id_idx ON campaigns (merchant_id);

ALTER TABLE sales
  ADD COLUMN campaign_id text,
  ADD CONSTRAINT sales_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns (id) ON UPDATE CASCADE ON DELETE RESTRICT;
CREATE INDEX sales_campaign_id_idx ON sales (campaign_id);

-- How many units a person may have in each sale of a campaign with a limit; together never more than the limit. Redis is
-- told of a row, by its number, only after it is committed. It refers to no sale: whoever moves units must not wait for a
-- sale's row, which a rebuild keeps locked.
CREATE TABLE campaign_allowances (
  campaign_id text    NOT NULL,
  user_id     text    NOT NULL,
  sale_id     text    NOT NULL,
  units       integer NOT NULL CHECK (units >= 0),
  number      bigint  NOT NULL,
  PRIMARY KEY (campaign_id, user_id, sale_id),
  CONSTRAINT campaign_allowances_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX campaign_allowances_sale_id_user_id_idx ON campaign_allowances (sale_id, user_id);

-- Numbers only rise, also where the transaction that took one is rolled back.
CREATE SEQUENCE campaign_allowance_numbers;
