-- Apart from the migration that adds it, so that nobody waits while the rows are read.
ALTER TABLE lines VALIDATE CONSTRAINT lines_list_digest_check;
