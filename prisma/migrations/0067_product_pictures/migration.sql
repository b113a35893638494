-- A product's own pictures, first to last, each with what it shows (decision 097): [{"hash": "…", "alt": "…"}]. The first one is
-- image_url, too, which the release before shows and edits: where the two differ, image_url is right. The shop checks what stands
-- here, so that adding the column reads no row.
ALTER TABLE products ADD COLUMN pictures jsonb NOT NULL DEFAULT '[]';
