-- Addresses of shops that are told what happens to their orders and sales (decision 100). The release before writes orders
-- through the same triggers; the messages wait until a worker of this one takes them.
CREATE TABLE webhook_endpoints (
  id                text           NOT NULL PRIMARY KEY,
  shop_id           text           NOT NULL,
  url               text           NOT NULL CHECK (length(url) <= 2000),
  kinds             text[]         CHECK (kinds IS NOT NULL AND cardinality(kinds) BETWEEN 1 AND 20),
  -- Encrypted with a key derived from ENTRY_SECRET; key_mark tells which.
  sealed_secret     text           NOT NULL,
  key_mark          text           NOT NULL,
  -- The secret before, which signs along until old_until.
  old_sealed_secret text,
  old_key_mark      text,
  old_until         timestamptz(3),
  created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  disabled_at       timestamptz(3),
  -- By staff, by the answer 410, or after days of failures.
  disabled_why      text           CHECK (disabled_why IN ('staff', 'gone', 'failing')),
  -- Since when no delivery has arrived while some failed.
  failing_since     timestamptz(3),
  -- It did not answer: nothing is sent before.
  rest_until        timestamptz(3),
  CONSTRAINT webhook_endpoints_disabled_check CHECK ((disabled_at IS NULL) = (disabled_why IS NULL)),
  CONSTRAINT webhook_endpoints_old_check
    CHECK ((old_sealed_secret IS NULL) = (old_until IS NULL) AND (old_sealed_secret IS NULL) = (old_key_mark IS NULL)),
  CONSTRAINT webhook_endpoints_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shops (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX webhook_endpoints_shop_id_idx ON webhook_endpoints (shop_id);

CREATE TABLE webhook_deliveries (
  id          bigserial      NOT NULL PRIMARY KEY,
  endpoint_id text           NOT NULL,
  -- The same for every endpoint and repetition: `webhook-id`.
  event_id    text           NOT NULL CHECK (length(event_id) <= 100),
  kind        text           NOT NULL,
  -- What is signed and sent, to the byte.
  body        text           NOT NULL CHECK (length(body) <= 20000),
  status      text           NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'failed')),
  attempts    integer        NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- When it was to be sent first, or again by hand: retries end a day later.
  due_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  next_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Of the last answer.
  last_status integer,
  last_error  text           CHECK (last_error IN ('answer', 'timeout', 'unreachable')),
  last_at     timestamptz(3),
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT webhook_deliveries_endpoint_id_fkey
    FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints (id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_deliveries_endpoint_id_event_id_key ON webhook_deliveries (endpoint_id, event_id);
CREATE INDEX webhook_deliveries_endpoint_id_id_idx ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_waiting_idx ON webhook_deliveries (endpoint_id, next_at) WHERE status = 'waiting';

-- What happens to orders is told by triggers, as the decision log is, so that no change goes untold, whoever makes it. A
-- statement writes one message for up to 100 orders of a sale, and none where the shop does not want to know.
CREATE FUNCTION tell_accepted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() OR NOT EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL) THEN RETURN NULL; END IF;
  INSERT INTO outgoing_messages (topic, payload)
  SELECT 'shop-event', json_build_object('shopId', shop_id, 'saleId', sale_id, 'kind', 'order.accepted',
                                         'events', json_agg(event ORDER BY id)::text)
  FROM (SELECT w.id, w.sale_id, s.merchant_id AS shop_id,
               (row_number() OVER (PARTITION BY w.sale_id ORDER BY w.id) - 1) / 100 AS part,
               json_build_object('id', 'accepted_' || w.id, 'at', epoch_ms(w.accepted_at), 'data', json_build_object(
                 'orderNo', w.id::text, 'saleId', w.sale_id, 'productId', s.product_id, 'quantity', w.quantity,
                 'amountMinor', w.amount_minor, 'currency', w.currency)) AS event
        FROM written w JOIN sales s ON s.id = w.sale_id
        WHERE w.status = 'pending_payment' AND EXISTS (
          SELECT FROM webhook_endpoints e
          WHERE e.shop_id = s.merchant_id AND e.disabled_at IS NULL AND 'order.accepted' = ANY (e.kinds))) AS told
  GROUP BY shop_id, sale_id, part;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_tell_accepted AFTER INSERT ON orders
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tell_accepted();

CREATE FUNCTION tell_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_restoring() OR NOT EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL) THEN RETURN NULL; END IF;
  INSERT INTO outgoing_messages (topic, payload)
  SELECT 'shop-event', json_build_object('shopId', shop_id, 'saleId', sale_id, 'kind', kind,
                                         'events', json_agg(event ORDER BY id)::text)
  FROM (SELECT w.id, o.sale_id, s.merchant_id AS shop_id, k.kind,
               (row_number() OVER (PARTITION BY o.sale_id, k.kind ORDER BY w.id) - 1) / 100 AS part,
               json_build_object('id', 'change_' || w.id, 'at', epoch_ms(w.at), 'data', json_build_object(
                 'orderNo', o.id::text, 'saleId', o.sale_id, 'productId', s.product_id, 'quantity', o.quantity,
                 'amountMinor', o.amount_minor, 'currency', o.currency)) AS event
        FROM written w JOIN orders o ON o.shard = w.shard AND o.id = w.order_id JOIN sales s ON s.id = o.sale_id
        CROSS JOIN LATERAL (SELECT CASE w.to_status WHEN 'pending_payment' THEN 'order.accepted'
                                                    ELSE 'order.' || w.to_status END AS kind) AS k
        WHERE w.from_status <> w.to_status AND w.to_status IN ('pending_payment', 'paid', 'cancelled', 'refunded')
          AND EXISTS (SELECT FROM webhook_endpoints e
                      WHERE e.shop_id = s.merchant_id AND e.disabled_at IS NULL AND k.kind = ANY (e.kinds))) AS told
  GROUP BY shop_id, sale_id, kind, part;
  RETURN NULL;
END $$;
CREATE TRIGGER order_events_tell AFTER INSERT ON order_events
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tell_changed();
