-- A sale may be split over several slices (decision 065): each has its own keys in Redis, so that several servers sell it.
ALTER TABLE sales
  ADD COLUMN slices integer NOT NULL DEFAULT 1 CHECK (slices BETWEEN 1 AND 16),
  ADD COLUMN slice_epochs integer[] DEFAULT ARRAY[]::integer[],
  ADD CONSTRAINT sales_split_check CHECK (slices = 1 OR (
    strategy = 'script' AND on_stock_outage = 'closed' AND total_stock <> -1 AND reservation_opens_at IS NULL));

-- How many of the sale's units each slice may sell. Together they are the sale's total.
CREATE TABLE sale_slices (
  sale_id text    NOT NULL REFERENCES sales (id) ON UPDATE CASCADE ON DELETE CASCADE,
  slice   integer NOT NULL CHECK (slice BETWEEN 0 AND 15),
  total   integer NOT NULL CHECK (total >= 0),
  PRIMARY KEY (sale_id, slice)
);

-- Units on their way: out of one slice or new to the sale (giver NULL), into another or out of the sale (receiver NULL).
-- A row is there from the commit that moves them in sale_slices until both slices have done their part. It refers to the
-- slices alone: whoever moves units must not wait for the sale's row, which a rebuild keeps locked.
CREATE TABLE sale_parcels (
  number   bigint  NOT NULL PRIMARY KEY,
  sale_id  text    NOT NULL,
  giver    integer,
  receiver integer,
  units    integer NOT NULL CHECK (units > 0),
  CONSTRAINT sale_parcels_ends_check CHECK (giver IS DISTINCT FROM receiver),
  FOREIGN KEY (sale_id, giver) REFERENCES sale_slices (sale_id, slice) ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY (sale_id, receiver) REFERENCES sale_slices (sale_id, slice) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX sale_parcels_sale_idx ON sale_parcels (sale_id, number);

-- Numbers only rise, also where the transaction that took one is rolled back.
CREATE SEQUENCE sale_parcel_numbers;
