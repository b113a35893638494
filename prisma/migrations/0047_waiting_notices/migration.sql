-- How far the notices of one kind to everybody who waits in a sale have come (decision 079).
CREATE TABLE waiting_notices (
  sale_id    text           NOT NULL,
  kind       text           NOT NULL CHECK (kind IN ('draw_waiting', 'line_over', 'waitlist_over')),
  -- Those with this number in their list, and all before, have been notified.
  notified_to bigint       NOT NULL DEFAULT -1 CHECK (notified_to >= -1),
  notified   integer        NOT NULL DEFAULT 0 CHECK (notified >= 0),
  -- Everybody has been notified.
  done_at    timestamptz(3),
  PRIMARY KEY (sale_id, kind),
  CONSTRAINT waiting_notices_sale_id_fkey FOREIGN KEY (sale_id) REFERENCES sales (id) ON UPDATE CASCADE ON DELETE CASCADE
);
