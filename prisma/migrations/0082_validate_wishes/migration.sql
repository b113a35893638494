-- Reads the tables once, beside all who change them.
ALTER TABLE waitlist_entries VALIDATE CONSTRAINT waitlist_entries_variant_check;
ALTER TABLE line_entries VALIDATE CONSTRAINT line_entries_variant_check;
