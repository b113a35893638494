-- Which provider takes a sale's money. No list of names: a new provider needs no migration. The release before takes all
-- money by the shop's own.
ALTER TABLE "sales" ADD COLUMN "provider" TEXT NOT NULL DEFAULT 'usual';
